import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { asksOf, type Plugin } from "../../../src/contract/index.ts";
import { hostEnvironment } from "../../../src/main/platform/host-environment.ts";
import { lineProcess } from "../../../src/main/platform/lines/line-process.ts";
import { spawnNodeHost } from "../../../src/main/platform/spawned-host.ts";
import { HostedInstance, type HostedKind } from "../../../src/main/runtimes/hosted/hosted-instance.ts";
import type { HostContributions } from "../../../src/main/runtimes/hosted/protocol.ts";
import { type PluginCall, scopeOutsideTurns } from "../../../src/main/runtimes/plugin-call.ts";
import type {
  HostServices,
  InstanceContributions,
  StartRequest,
} from "../../../src/main/runtimes/runtime.ts";

/** A host that is running, and what a test asks of it. Ends with {@link closeHosts}. */
export interface OpenHost {
  readonly instance: HostedInstance;
  readonly dir: string;
  readonly home: string;
  /** Log lines in order: `origin level: text`, with ` (call)` behind those that were written during a call. */
  readonly logs: string[];
  /** What the host offered, at the start and after each change. */
  readonly offers: HostContributions[];
  /** The text that a tool answers, or the message of its error. `how`: what ends the call early, or its id. */
  tool(name: string, input?: Record<string, unknown>, how?: AbortSignal | string): Promise<string>;
  hook(event: string, ctx: object, call?: string): Promise<HookAnswer>;
  command(name: string, args?: string): Promise<string>;
  /** What stands behind `flowly:<rest>`, parsed. */
  look<T = Record<string, unknown>>(rest: string): Promise<T>;
}
export interface HookAnswer {
  returned: object[];
  decision: object | null;
  failures: { error: string; callback: string }[];
  ctx: { params?: object; messages?: object[]; event?: { content: unknown } };
}

const folders: string[] = [];
const instances: HostedInstance[] = [];
const resources = resolve(import.meta.dirname, "../../../resources/flowly-host");

/** The interpreter itself: `python3` may be a script that looks for one. */
export const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], {
  encoding: "utf8",
}).trim();

export async function closeHosts(): Promise<void> {
  for (const instance of instances.splice(0)) await instance.stop("not_responding");
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
}

/** The host that was opened last, also when it did not start. */
export function lastHost(): HostedInstance {
  const last = instances.at(-1);
  if (!last) throw new Error("no host was opened");
  return last;
}

export interface Opening {
  /** Flowly's key of the plugin: `plugin` when none is given. */
  key?: string;
  files: Record<string, string>;
  manifest?: Record<string, unknown>;
  site?: string[];
  memoryMb?: number;
  stopMs?: number;
  /** How long its start may take. */
  startMs?: number;
  env?: Record<string, string>;
}

/** Starts a plugin of these files. Rejects as the app's own start does. */
export async function openHost(opening: Opening | string): Promise<OpenHost> {
  const {
    key = "plugin",
    files,
    manifest = {},
    site = [],
    memoryMb = 0,
    stopMs = 5_000,
    startMs = 30_000,
    env = {},
  } = typeof opening === "string" ? { files: { "__init__.py": opening } } : opening;
  const root = mkdtempSync(join(tmpdir(), "flowly-host-"));
  folders.push(root);
  const dir = join(root, "plugins", key);
  const home = join(root, "home");
  mkdirSync(dir, { recursive: true });
  mkdirSync(home);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  const logs: string[] = [];
  const offers: HostContributions[] = [];
  const services = {
    log: (level, text, origin, during) =>
      void logs.push(`${origin} ${level}: ${text}${during ? " (call)" : ""}`),
    contributionsChanged: () => {},
    refused: (target, detail) => void logs.push(`refused ${target}: ${detail}`),
  } as Partial<HostServices> as HostServices;
  const kind: HostedKind = {
    calls: new Set(["tool", "hook", "command", "resource"]),
    join: (host) => {
      offers.push(host);
      return {} as InstanceContributions;
    },
    tool: (name) => ({ name, title: name }),
  };
  const plugin = { manifestKey: key, displayName: key, capabilities: {}, consent: asksOf(null) } as Plugin;
  const request = { plugin, services, limits: { stopMs } } as StartRequest;
  const args = ["-E", "-s", "-S", "-B", "-u", "-X", "utf8", join(resources, "main.py")];
  const spawned = spawnNodeHost({
    file: python,
    args,
    cwd: dir,
    env: { ...hostEnvironment(), ...env },
    wire: "private",
  });
  const instance = new HostedInstance(lineProcess(spawned), request, kind);
  instances.push(instance);
  const full = { name: key, key, ...manifest };
  const start = { dir, key, home, site, manifest: full, builtins: {}, missing: [], memoryMb };
  await instance.start(start, AbortSignal.timeout(startMs));
  const scope = (signal: AbortSignal = AbortSignal.timeout(30_000)) =>
    scopeOutsideTurns(signal, Number.POSITIVE_INFINITY);
  return {
    instance,
    dir,
    home,
    logs,
    offers,
    async tool(name, input = {}, how = "1") {
      const call: PluginCall & { kind: "tool" } = {
        kind: "tool",
        name,
        input,
        toolCallId: typeof how === "string" ? how : "1",
        onUpdate: () => {},
      };
      try {
        const { content } = await instance.call(call, typeof how === "string" ? scope() : scope(how));
        return content.map((part) => (part.type === "text" ? part.text : "")).join("");
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "TOOL_FAILED") return error.message;
        throw error;
      }
    },
    hook: (event, ctx, call) =>
      instance.call(
        { kind: "hook", hookId: event, event, payload: { ctx, ...(call !== undefined && { call }) } },
        scope(),
      ) as Promise<HookAnswer>,
    command: (name, args = "") => instance.call({ kind: "command", name, args }, scope()),
    async look(rest) {
      const { contents } = await instance.call({ kind: "resource", uri: `flowly:${rest}` }, scope());
      const [content] = contents;
      return JSON.parse(content && "text" in content ? content.text : "null");
    },
  };
}
