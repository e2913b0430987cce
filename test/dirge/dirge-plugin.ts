import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grants, Plugin } from "../../src/contract/index.ts";
import {
  asksOf,
  type DialogAnswer,
  type DialogQuestion,
  type Effect,
  grantsOf,
} from "../../src/contract/index.ts";
import { forkNodeHost } from "../../src/main/platform/node-host-process.ts";
import { DirgeRuntime } from "../../src/main/runtimes/dirge/dirge-runtime.ts";
import { type PluginCall, scopeOutsideTurns } from "../../src/main/runtimes/plugin-call.ts";
import type {
  HostServices,
  InstanceContributions,
  PluginInstance,
  StartRequest,
} from "../../src/main/runtimes/runtime.ts";
import { hostBundle } from "../support/host-bundle.ts";

/** A started plugin of dirge, and what a test asks of it. Ends with {@link closePlugins}. */
export interface OpenPlugin {
  readonly instance: PluginInstance;
  readonly dir: string;
  readonly workspace: string;
  /** Log lines in order: `origin level: text`. */
  readonly logs: string[];
  /** What it asked for beside its answers, in order. */
  readonly effects: Effect[];
  /** What it offered, at the start and after each change. */
  readonly offers: InstanceContributions[];
  /** Questions that wait for an answer. */
  readonly questions: { question: DialogQuestion; answer(answer: DialogAnswer): void }[];
  /** Fires an event of the agent, as the bus does; `sessionId` and the like need not be given. */
  fire(event: string, payload?: Record<string, unknown>): Promise<unknown>;
  tool(name: string, input?: Record<string, unknown>, progress?: (text: string) => void): Promise<string>;
  command(name: string, args?: string): Promise<string>;
  shortcut(keys: string): Promise<string>;
}

export interface Opening {
  id?: string;
  /** What language servers answer; absent: there is none. */
  code?: HostServices["code"];
  /** Source files by their names. */
  files: Record<string, string>;
  grants?: Partial<Grants>;
  config?: Record<string, unknown>;
}

const folders: string[] = [];
const instances: PluginInstance[] = [];

export async function closePlugins(): Promise<void> {
  for (const instance of instances.splice(0)) await instance.stop("disabled");
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

const bundleDir = hostBundle();

/** The runtime over real processes, without walls. */
export function dirgeRuntime(root: string): DirgeRuntime {
  return new DirgeRuntime({
    platform: {
      forkHost: ({ wall: _, ...options }) => forkNodeHost(bundleDir, options),
      walls: () => ({ stands: true, problem: null, help: null, command: null }) as never,
    },
    storage: { places: { root } } as never,
  });
}

/** Starts a plugin of this source, or of these files. Rejects as the app's own start does. */
export async function openPlugin(opening: Opening | string): Promise<OpenPlugin> {
  const {
    id = "plugin",
    files,
    grants,
    config = {},
    code,
  } = typeof opening === "string" ? { files: { "main.janet": opening } } : opening;
  const root = mkdtempSync(join(tmpdir(), "dirge-"));
  folders.push(root);
  const dir = join(root, id);
  const workspace = join(root, "workspace");
  for (const folder of [dir, workspace]) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const runtime = dirgeRuntime(join(root, "home"));
  const artifact = { kind: "folder", dir } as const;
  const inspection = await runtime.inspect(artifact);
  const plugin = { ...inspection, artifact } as unknown as Plugin;
  const logs: string[] = [];
  const effects: Effect[] = [];
  const offers: InstanceContributions[] = [];
  const questions: OpenPlugin["questions"] = [];
  const services = {
    log: (level, text, origin) => void logs.push(`${origin} ${level}: ${text}`),
    contributionsChanged: (all) => void offers.push(all),
    refused: (target, detail) => void logs.push(`refused ${target}: ${detail}`),
    reportError: () => {},
    ...(code && { code }),
    ask: (question) =>
      new Promise((answer) => {
        questions.push({ question, answer });
      }),
  } as Partial<HostServices> as HostServices;
  const request = {
    agentId: "ada",
    plugin,
    config,
    secrets: {},
    workspace,
    services,
    walls: {
      grants: { ...grantsOf({ ...asksOf(null), ...inspection.consent }), ...grants },
      judge: () => ({ kind: "allow" }),
      refused: () => {},
    },
    limits: { stopMs: 5_000, hookMs: 2_000 },
    memoryMb: 256,
  } as unknown as StartRequest;
  const instance = await runtime.start(request, AbortSignal.timeout(30_000));
  instances.push(instance);
  offers.unshift(instance.contributions);
  const scope = () => ({
    ...scopeOutsideTurns(AbortSignal.timeout(30_000), Number.POSITIVE_INFINITY),
    sessionId: "s1",
    effects: (list: readonly Effect[]) => void effects.push(...list),
  });
  const call = <C extends PluginCall>(one: C) => instance.call(one, scope());
  return {
    instance,
    dir,
    workspace,
    logs,
    effects,
    offers,
    questions,
    fire: (event, payload = {}) =>
      call({
        kind: "hook",
        hookId: event,
        event,
        payload: { agentId: "ada", sessionId: "s1", turnId: "t1", ...payload },
      }),
    async tool(name, input = {}, progress = () => {}) {
      const full = `${plugin.manifestKey}__${name}`;
      const { content } = await call({
        kind: "tool",
        name: full,
        input,
        toolCallId: "c1",
        onUpdate: progress,
      });
      return content.map((part) => (part.type === "text" ? part.text : "")).join("");
    },
    command: (name, args = "") => call({ kind: "command", name, args }),
    shortcut: (keys) => call({ kind: "shortcut", id: keys }),
  };
}
