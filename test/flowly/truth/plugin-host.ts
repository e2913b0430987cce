import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { AgentEventPayloads } from "@patchbay/plugin-sdk";
import { asksOf, PatchbayError, type Plugin } from "../../../src/contract/index.ts";
import { lineProcess } from "../../../src/main/platform/lines/line-process.ts";
import { spawnNodeHost } from "../../../src/main/platform/spawned-host.ts";
import type { FoundFlowly } from "../../../src/main/runtimes/flowly/discovery/discover.ts";
import { FlowlyInstance } from "../../../src/main/runtimes/flowly/flowly-instance.ts";
import type { FiringEvent } from "../../../src/main/runtimes/flowly/hooks/event-map.ts";
import { Injections } from "../../../src/main/runtimes/flowly/hooks/injections.ts";
import { HostedInstance, type HostedKind } from "../../../src/main/runtimes/hosted/hosted-instance.ts";
import type { HostContributions } from "../../../src/main/runtimes/hosted/protocol.ts";
import { type PluginCall, scopeOutsideTurns } from "../../../src/main/runtimes/plugin-call.ts";
import type {
  HostServices,
  InstanceContributions,
  StartRequest,
} from "../../../src/main/runtimes/runtime.ts";
import type { Tree } from "./record.ts";

/** What the app's translation makes of hooks, whichever event it answers. */
interface Answer {
  allow?: boolean;
  reason?: string;
  payload?: { args: Record<string, unknown> };
  content?: { text: string }[];
  text?: string;
  drop?: true;
}

/** What the callbacks of one plugin did with an event. */
export interface HookAnswer {
  returned: { kind: string; type?: string }[];
  decision: { kind: string; message?: string; text?: string; texts?: string[]; reason?: string } | null;
  failures: { error: string; callback: string }[];
  ctx: {
    params?: Record<string, unknown>;
    messages?: Record<string, unknown>[];
    event?: { content: unknown };
  };
}

/** What a plugin has registered, in the words of the record. */
export interface HostState {
  tools: Record<string, Record<string, unknown>>;
  hooks: Record<string, string[]>;
  commands: Record<string, Record<string, unknown>>;
  skills: Record<string, Record<string, unknown>>;
  web: string[];
  modules: string[];
}

const resources = resolve(import.meta.dirname, "../../../resources/flowly-host");
const entry = resolve(import.meta.dirname, "truth_host.py");
/** The interpreter (`TRUTH_PYTHON`, else `python3`), its version such as `3.11`, and the folder of its library. */
export const [python = "", minor = "", library = ""] =
  spawnSync(
    process.env.TRUTH_PYTHON ?? "python3",
    [
      "-c",
      "import os, sys; print(sys.executable); print('%d.%d' % sys.version_info[:2]); print(os.path.dirname(os.__file__))",
    ],
    { encoding: "utf8" },
  ).stdout?.split("\n") ?? [];

/** Of the host's own modules. Remove it at the end. */
export const compiled = mkdtempSync(join(tmpdir(), "flowly-truth-pycache-"));

/** Why a plugin did not load: the text of Flowly's list. */
export class NotLoaded extends Error {}

/** One plugin in a Python of its own: the production host, with more doors for the tests. */
export class PluginHost {
  readonly found: FoundFlowly;
  /** What it offered at its start. */
  readonly offers: HostContributions;
  readonly #instance: HostedInstance;
  readonly #flowly: FlowlyInstance;
  /** Events for which it has callbacks now. */
  registered: ReadonlySet<string> = new Set();
  #failures = 0;

  private constructor(
    found: FoundFlowly,
    instance: HostedInstance,
    offers: HostContributions,
    guards: "allow" | "block",
  ) {
    this.found = found;
    this.#instance = instance;
    this.offers = offers;
    this.#flowly = new FlowlyInstance(instance, {
      plugin: found.key,
      registered: () => this.registered,
      guards,
      injections: new Injections(),
      toolName: (name) => name,
    });
  }

  /**
   * @param more.guards what a guard that fails means
   * @param more.print called with each line that the plugin prints to its standard output
   * @throws NotLoaded
   */
  static async start(
    found: FoundFlowly,
    tree: Tree,
    env: Record<string, string>,
    { guards, print }: { guards: "allow" | "block"; print(line: string): void },
  ): Promise<PluginHost> {
    const { key, dir, manifest, place } = found;
    if (manifest === null) throw new NotLoaded(found.theirs ?? "");
    let started: PluginHost | undefined;
    const services = {
      log: (_level, text, origin) => {
        if (origin === "stdout") print(text);
        else if (started && /^hook \S+ callback failed/.test(text)) started.#failures += 1;
      },
      refused: () => {},
      contributionsChanged: () => {},
    } as Partial<HostServices> as HostServices;
    let offers: HostContributions | undefined;
    const kind: HostedKind = {
      calls: new Set(["tool", "hook", "command", "resource"]),
      join: (host) => {
        offers = host;
        return {} as InstanceContributions;
      },
      tool: (name) => ({ name, title: name }),
    };
    const plugin = {
      manifestKey: "truth",
      displayName: key,
      capabilities: {},
      consent: asksOf(null),
    } as Plugin;
    const spawned = spawnNodeHost({
      file: python,
      args: ["-E", "-s", "-S", "-u", "-X", "utf8", "-X", `pycache_prefix=${compiled}`, entry],
      cwd: tree.project,
      env: { ...env, FLOWLY_HOME: tree.home, TRUTH_HOST: resources },
      wire: "private",
    });
    const request = { plugin, services, limits: { stopMs: 1000 } } as StartRequest;
    const instance = new HostedInstance(lineProcess(spawned), request, kind);
    const start = {
      dir,
      key,
      home: tree.home,
      site: [],
      manifest: {
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        author: manifest.author,
        kind: manifest.kind,
        manifest_version: manifest.manifestVersion,
        requires_env: manifest.requiresEnv,
        provides_tools: manifest.providesTools,
        provides_hooks: manifest.providesHooks,
        provides_web_providers: manifest.providesWebProviders,
        source: place,
        key,
      },
      builtins: {},
      missing: [],
    };
    try {
      await instance.start(start, AbortSignal.timeout(30_000));
    } catch (error) {
      const details = error instanceof Error && "details" in error ? error.details : null;
      const text = (details as { error?: string } | null)?.error;
      throw new NotLoaded(text ?? (error instanceof Error ? error.message : String(error)));
    }
    if (!offers) throw new Error("The host offered nothing.");
    started = new PluginHost(found, instance, offers, guards);
    return started;
  }

  stop(): Promise<void> {
    return this.#instance.stop("not_responding");
  }

  /** Has the host do one of the things that `truth_host.py` adds. */
  async ask<T = unknown>(op: string, more: Record<string, unknown> = {}): Promise<T> {
    const uri = `truth:${encodeURIComponent(JSON.stringify({ ...more, op }))}`;
    return this.#resource(uri) as Promise<T>;
  }

  state(): Promise<HostState> {
    return this.ask("state");
  }

  hook(event: string, ctx: Record<string, unknown>, call?: string): Promise<HookAnswer> {
    const payload = { ctx, ...(call !== undefined && { call }) };
    return this.#call({ kind: "hook", hookId: event, event, payload }) as Promise<HookAnswer>;
  }

  /**
   * Has the plugin's hooks take part in an event of the agent, by the translation that the app uses. `failed`: whether a
   * callback failed; where the guards block, that is no answer.
   */
  async event<E extends FiringEvent>(
    event: E,
    payload: Omit<AgentEventPayloads[E], "agentId">,
  ): Promise<{ answer?: Answer; failed: boolean }> {
    const before = this.#failures;
    try {
      const call = { kind: "hook", hookId: event, event, payload } as const;
      const answer = (await this.#flowly.call(call, scopeOf())) as Answer | undefined;
      return { ...(answer !== undefined && { answer }), failed: this.#failures > before };
    } catch (error) {
      if (error instanceof PatchbayError && error.code === "HOOK_FAILED") return { failed: true };
      throw error;
    }
  }

  /** The text of a tool's answer, or of its failure. `id`: of the call, when hooks were asked about it. */
  async tool(name: string, input: Record<string, unknown>, platform?: string, id = "alone"): Promise<string> {
    const call = { kind: "tool", name, input, toolCallId: id, onUpdate: () => {} } as const;
    try {
      const { content } = await this.#call(call, platform);
      return content.map((part) => (part.type === "text" ? part.text : "")).join("");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "TOOL_FAILED") return error.message;
      throw error;
    }
  }

  command(name: string, args: string): Promise<string> {
    return this.#call({ kind: "command", name, args });
  }

  skill(name: string, file: string | undefined): Promise<unknown> {
    const query = file === undefined ? "" : `?file=${encodeURIComponent(file)}`;
    return this.#resource(`flowly:skill/${encodeURIComponent(name)}${query}`);
  }

  async #resource(uri: string): Promise<unknown> {
    const { contents } = await this.#call({ kind: "resource", uri });
    const [content] = contents;
    return JSON.parse(content && "text" in content ? content.text : "null");
  }

  #call<C extends PluginCall>(call: C, platform?: string) {
    const scope = scopeOf();
    if (platform !== undefined) scope.caller = { kind: "channel", channel: platform, userId: "u1" };
    return this.#instance.call(call, scope);
  }
}

function scopeOf() {
  return scopeOutsideTurns(AbortSignal.timeout(30_000), Number.POSITIVE_INFINITY);
}
