import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  DialogAnswer,
  DialogQuestion,
  InstanceView,
  Plugin,
  Problem,
  Settings,
} from "../../src/contract/index.ts";
import type { Clock } from "../../src/main/base/clock.ts";
import { forkNodeHost } from "../../src/main/platform/node-host-process.ts";
import type { HostProcess } from "../../src/main/platform/platform.ts";
import { wallReport } from "../../src/main/platform/walls/start.ts";
import { PluginPool } from "../../src/main/pool/plugin-pool.ts";
import {
  type AgentPluginPatch,
  AgentPlugins,
  AgentStore,
  defaultSettings,
  PluginRegistry,
} from "../../src/main/registry/index.ts";
import type { ChannelPrompt } from "../../src/main/runtimes/channel-door.ts";
import { NativeRuntime } from "../../src/main/runtimes/native/native-runtime.ts";
import {
  type CallOf,
  type CallScope,
  scopeOutsideTurns,
  type ToolOutput,
} from "../../src/main/runtimes/plugin-call.ts";
import { Vault } from "../../src/main/secrets/index.ts";
import { PluginCredentials } from "../../src/main/setup/persist/plugin-credentials.ts";
import { openFileStorage, type Storage } from "../../src/main/store/index.ts";
import { fixturePlugin } from "./host-bundle.ts";
import { everything, givenWalls } from "./open-walls.ts";

export interface WorldOptions {
  bundleDir: string;
  clock?: Clock;
  limits?: Partial<Settings["limits"]>;
}

/** The real services around a pool, in a home of their own, with every host process that was ever started. */
export class PoolWorld {
  readonly home: string;
  readonly storage: Storage;
  readonly registry: PluginRegistry;
  readonly agentPlugins: AgentPlugins;
  readonly agents: AgentStore;
  readonly vault: Vault;
  readonly runtime: NativeRuntime;
  readonly credentials: PluginCredentials;
  oauthToken: (agentId: string, key: string, refused?: string) => Promise<string> = async () => {
    throw new Error("Nobody has signed in.");
  };
  readonly pool: PluginPool;
  readonly settings: Settings;
  readonly hosts: HostProcess[] = [];
  readonly questions: {
    question: DialogQuestion;
    context: string;
    signal: AbortSignal | undefined;
    answer(answer: DialogAnswer): void;
  }[] = [];
  readonly prompts: ChannelPrompt[] = [];
  /** The problem that the integrity check reports for a plugin, by key; none when absent. */
  readonly integrity = new Map<string, Problem>();
  readonly #pools: PluginPool[] = [];
  #waiting: (() => void)[] = [];

  static async open(options: WorldOptions): Promise<PoolWorld> {
    const home = await mkdtemp(join(tmpdir(), "patchbay-pool-"));
    const storage = openFileStorage({ home, onNotice: failOnNotice });
    const vault = await Vault.open({ storage, onNotice: failOnNotice });
    return new PoolWorld(home, storage, vault, options);
  }

  private constructor(home: string, storage: Storage, vault: Vault, options: WorldOptions) {
    this.home = home;
    this.storage = storage;
    this.vault = vault;
    this.registry = new PluginRegistry({ storage });
    this.agentPlugins = new AgentPlugins({ storage, onNotice: failOnNotice });
    this.agents = new AgentStore({ storage });
    this.credentials = new PluginCredentials({ vault, agentPlugins: this.agentPlugins });
    const defaults = defaultSettings;
    this.settings = { ...defaults, limits: { ...defaults.limits, ...options.limits } };
    const forkHost = (fork: Parameters<typeof forkNodeHost>[1]): HostProcess => {
      const host = forkNodeHost(options.bundleDir, fork);
      this.hosts.push(host);
      setImmediate(() => this.#wake());
      return host;
    };
    this.runtime = new NativeRuntime({
      root: home,
      platform: { forkHost, walls: wallReport },
      inspectMs: () => this.settings.limits.inspectMs,
    });
    this.pool = this.#createPool(options.clock);
    this.#pools.push(this.pool);
    this.agentPlugins.changes.on("row", () => this.#wake());
  }

  async agent(id: string): Promise<void> {
    await this.agents.create({
      id,
      name: id,
      instructions: "",
      model: { kind: "none" },
      policy: [],
      maxSteps: 10,
    });
  }

  /** Inspects a fixture plugin and puts it into the catalogue, where it stays until the world closes. */
  async install(fixture: string, change: Partial<Plugin> = {}): Promise<Plugin> {
    const plugin = { ...(await this.describe(fixturePlugin(fixture))), ...change };
    await this.registry.put(plugin);
    return plugin;
  }

  async describe(dir: string): Promise<Plugin> {
    const inspection = await this.runtime.look({ kind: "folder", dir }, new AbortController().signal);
    const now = new Date().toISOString();
    return {
      ...inspection,
      id: inspection.manifestKey,
      artifact: { kind: "folder", dir },
      source: { kind: "folder", spec: dir, integrity: null, treeHash: null, installedAt: now },
      trust: "local",
      scriptsAllowed: false,
      previous: [],
      createdAt: now,
      updatedAt: now,
    };
  }

  async enable(agentId: string, key: string, config?: Record<string, unknown>): Promise<InstanceView> {
    await this.change(agentId, key, { enabled: true, ...(config && { config }) });
    return this.pool.view(agentId, key);
  }

  async disable(agentId: string, key: string): Promise<InstanceView> {
    await this.change(agentId, key, { enabled: false });
    return this.pool.view(agentId, key);
  }

  /** Changes a row and lets the pool apply it, as the `agent-plugins` service does. */
  async change(agentId: string, key: string, patch: AgentPluginPatch): Promise<void> {
    await this.agentPlugins.set(agentId, key, patch);
    await this.pool.apply(agentId, key);
  }

  call(
    agentId: string,
    tool: string,
    input: Record<string, unknown> = {},
    options: ToolCallOptions = {},
  ): Promise<ToolOutput> {
    const owner = this.pool.live(agentId).tools.find(({ name }) => name === tool)?.owner;
    return this.pool.call(
      agentId,
      owner ?? (tool.split("__")[0] as string),
      toolCall(tool, input, options),
      callScope(options),
    );
  }

  logTexts(agentId: string, key: string): string[] {
    return this.pool.logs(agentId, key).map(({ text }) => text);
  }

  /** Resolves when a condition holds; looks again after each change that the services announce. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Resolves when the next host process was started; to be asked before what starts it. `alive` does not tell that: a host
   * that has just looked at a plugin may still be there.
   */
  async nextHost(): Promise<void> {
    const before = this.hosts.length;
    await this.until(() => this.hosts.length > before);
  }

  /** The host processes that are alive now. The system tells nobody when that changes: it is asked again, not waited for. */
  alive(): number[] {
    return this.hosts.flatMap(({ pid }) => (pid !== undefined && isAlive(pid) ? [pid] : []));
  }

  async close(): Promise<void> {
    for (const pool of this.#pools) await pool.close();
    await this.agentPlugins.close();
    await this.agents.close();
    await this.registry.close();
    await this.vault.close();
    await rm(this.home, { recursive: true, force: true });
  }

  /** Does what a new start of the app does: closes the pool and boots a new one over the same state. */
  async reopen(clock?: Clock): Promise<PluginPool> {
    await this.#pools.at(-1)?.close();
    const pool = this.#createPool(clock);
    this.#pools.push(pool);
    await pool.boot();
    return pool;
  }

  #createPool(clock: Clock | undefined): PluginPool {
    const pool = new PluginPool({
      registry: this.registry,
      agentPlugins: this.agentPlugins,
      agents: this.agents,
      vault: this.vault,
      runtimes: [this.runtime],
      settings: { get: () => this.settings },
      checkIntegrity: async (plugin) => this.integrity.get(plugin.manifestKey) ?? null,
      ask: (_agentId, _key, question, context, signal) =>
        new Promise((answer) => {
          this.questions.push({ question, context, signal, answer });
          this.#wake();
        }),
      channel: (agentId, key) => ({
        agent: {
          prompt: async (input) => {
            this.prompts.push(input);
            input.onDelta?.("half ");
            return { sessionId: "s1", text: `answer to ${input.text}` };
          },
          append: async () => ({ sessionId: "s1" }),
          end: async () => {},
          followLanguage: () => () => {},
          followPeople: () => () => {},
          introduce: async () => ({ say: null, waits: false }),
          pair: async () => ({ say: "" }),
          followApprovals: () => () => {},
          review: async () => ({ outcome: "allowed" }),
        },
        access: () => ({
          agentBaseUrl: `http://127.0.0.1:1/${agentId}`,
          publicAgentBaseUrl: `https://example.test/${agentId}`,
          token: `token-${agentId}-${key}`,
        }),
      }),
      permissions: givenWalls(everything),
      credentials: (agentId, key) => this.credentials.of(agentId, key),
      oauthToken: (agentId, key, refused) => this.oauthToken(agentId, key, refused),
      signedIn: () => false,
      clock,
    });
    const wake = () => this.#wake();
    pool.changes.on("instance", wake);
    pool.changes.on("log", wake);
    pool.changes.on("contributions", wake);
    return pool;
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** The options of a tool call that a test may set; the others have defaults. */
export type ToolCallOptions = Partial<CallScope & Pick<CallOf<"tool">, "toolCallId" | "onUpdate">>;

export function toolCall(
  name: string,
  input: Record<string, unknown>,
  { toolCallId = "c1", onUpdate = () => {} }: ToolCallOptions = {},
): CallOf<"tool"> {
  return { kind: "tool", name, input, toolCallId, onUpdate };
}

export function callScope(change: Partial<CallScope> = {}): CallScope {
  return { ...scopeOutsideTurns(new AbortController().signal, 30_000), sessionId: "s1", ...change };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function textOf(output: ToolOutput): string {
  return output.content.map((part) => (part.type === "text" ? part.text : part.mimeType)).join("");
}

function failOnNotice(problem: Problem): never {
  throw new Error(problem.message);
}

/** The text by which settings refer to a stored secret: `${name}`. */
export function reference(name: string): string {
  return `\${${name}}`;
}
