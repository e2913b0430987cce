import type {
  Agent,
  AgentPluginRow,
  CommandInfo,
  DialogAnswer,
  DialogQuestion,
  HookInfo,
  LogEntry,
  Plugin,
  Problem,
  RuntimeState,
  Settings,
  ToolInfo,
} from "../../contract/index.ts";
import type { Clock } from "../base/clock.ts";
import type {
  ChannelDoor,
  HostServices,
  InstanceContributions,
  PluginRuntime,
  PromptInfo,
} from "../runtimes/runtime.ts";

/** A typed `EventEmitter`, as far as it is needed. */
export interface Announces<Events extends Record<keyof Events, unknown[]>> {
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): unknown;
  off<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): unknown;
}

/** What the pool needs of the other services. */
export interface PoolOptions {
  registry: {
    get(key: string): Plugin | undefined;
    readonly changes: Announces<{ put: [plugin: Plugin]; removed: [key: string] }>;
  };
  agentPlugins: {
    list(agentId: string): readonly AgentPluginRow[];
    get(agentId: string, key: string): AgentPluginRow | undefined;
    report(
      agentId: string,
      key: string,
      report: { runtimeState?: RuntimeState | null; lastError?: Problem | null },
    ): void;
    storage(agentId: string, key: string): HostServices["storage"];
  };
  agents: {
    list(): readonly Agent[];
    get(agentId: string): Agent | undefined;
    readonly changes: Announces<{ agent: [agent: Agent]; removed: [agentId: string] }>;
  };
  vault: {
    /** @throws PatchbayError VAULT_CLOSED */
    resolve(name: string, agentId: string): string | undefined;
    redact(text: string): string;
    readonly changes: Announces<{ changed: [name: string, agentId: string | null] }>;
  };
  runtimes: readonly PluginRuntime[];
  settings: { get(): Readonly<Pick<Settings, "limits" | "hostMemoryMb">> };
  /** Null when the plugin's files are those that were installed. Asked before each start. */
  checkIntegrity(plugin: Plugin): Promise<Problem | null>;
  /** Puts a plugin's question before the person; `context` is what the plugin was doing. Aborting takes it back. */
  ask(
    agentId: string,
    pluginKey: string,
    question: DialogQuestion,
    context: string,
    signal?: AbortSignal,
  ): Promise<DialogAnswer>;
  /** The way of a channel plugin to its agent; asked for channels alone. */
  channel(agentId: string, pluginKey: string): ChannelDoor;
  /** Why a plugin that is switched on may not run for now; null, or absent, when it may. */
  holdOf?(agentId: string, key: string): { kind: "safe_mode" | "search"; problem: Problem } | null;
  /** What a plugin keeps in encrypted profiles. */
  credentials(agentId: string, pluginKey: string): HostServices["credentials"];
  /** A good access token of the plugin's sign-in. @throws PatchbayError CREDENTIALS_REFUSED when signing in again is needed */
  oauthToken(agentId: string, pluginKey: string, refused?: string): Promise<string>;
  clock?: Clock;
}

/** One (agent, plugin), and what it offers while it can be called. */
export interface Place {
  readonly agentId: string;
  readonly key: string;
  readonly contributions: InstanceContributions | null;
}

/** What the running plugins of one agent offer. */
export interface LiveContributions {
  tools: ToolInfo[];
  toolsets: { owner: string; id: string; description: string }[];
  /** In plugin-key order, each plugin's in the order of registration. */
  hooks: (HookInfo & { owner: string })[];
  commands: CommandInfo[];
  skills: { owner: string; name: string; description: string; path: string }[];
  prompts: ({ owner: string } & PromptInfo)[];
}

export interface PoolEvents {
  /** Its view changed. */
  instance: [agentId: string, key: string];
  log: [agentId: string, key: string, entry: LogEntry];
  /** What the running plugins of this agent offer changed. */
  contributions: [agentId: string];
}
