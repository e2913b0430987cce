import type {
  Agent,
  AgentPluginRow,
  CommandInfo,
  DialogAnswer,
  DialogQuestion,
  Grants,
  HookInfo,
  LogEntry,
  Plugin,
  Problem,
  RuntimeState,
  Settings,
  ToolInfo,
} from "../../contract/index.ts";
import type { Clock } from "../base/clock.ts";
import type { Pins } from "../registry/pins/pins.ts";
import type { ChannelDoor } from "../runtimes/channel-door.ts";
import type { CallScope } from "../runtimes/plugin-call.ts";
import type {
  HostServices,
  InstanceContributions,
  PluginRuntime,
  PluginWalls,
  PromptInfo,
} from "../runtimes/runtime.ts";
import type { Figures } from "./figures/figures.ts";

/** The part of a typed `EventEmitter` that the pool uses. */
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
    /** Equal for equal values, and says nothing about them. @throws PatchbayError VAULT_CLOSED */
    markOf(name: string, agentId: string): string | undefined;
    has(name: string, agentId: string): boolean;
    list(): readonly { name: string; agentId: string | null }[];
    redact(text: string): string;
    readonly changes: Announces<{ changed: [name: string, agentId: string | null]; status: [] }>;
  };
  runtimes: readonly PluginRuntime[];
  settings: { get(): Readonly<Pick<Settings, "limits" | "hostMemoryMb">> };
  /** Checks the plugin's files before each start. Resolves with null when they are those that were installed. */
  checkIntegrity(plugin: Plugin): Promise<Problem | null>;
  /** What a linked folder declares beyond what was agreed to, a sentence each; read by `checkIntegrity`. */
  declaredBeyond?(key: string): readonly string[];
  /**
   * Shows a plugin's question to the person. `context`: what the plugin was doing. `during`: the call that asks. Aborting
   * removes the question.
   */
  ask(
    agentId: string,
    pluginKey: string,
    question: DialogQuestion,
    context: string,
    signal?: AbortSignal,
    of?: { during: Pick<CallScope, "turnId" | "spanId"> | undefined },
  ): Promise<DialogAnswer>;
  /** What language servers know of the code in an agent's workspace; absent: nothing. */
  code?(agentId: string, pluginKey: string): HostServices["code"];
  /** The way of a plugin to the agent's model, for one run of it; absent: no plugin has one. */
  lendModel?(agentId: string, plugin: Plugin): HostServices["askModel"];
  /** The way of a channel plugin to its agent; asked for channels alone. */
  channel(agentId: string, pluginKey: string): ChannelDoor;
  /** What plugins say of what they offer, as the person agreed to it; absent: nothing is ever held. */
  pins?: Pick<Pins, "hear" | "heldOf" | "suspicionsOf"> & {
    changes: Announces<{ pins: [key: string] }>;
  };
  /** What a plugin may reach, and who is told what it tried. */
  permissions: {
    of(agentId: string, plugin: Plugin): Grants;
    /** `asks`: whether the person is asked about hosts that were not granted; absent: yes. */
    walls(
      agentId: string,
      plugin: Plugin,
      tell: (text: string) => void,
      how?: { asks?: boolean },
    ): PluginWalls;
  };
  /** A text that changes when other walls hold plugins than before, so that each has to be started again. */
  wallState?(): string;
  /** Why a plugin that is switched on may not run for now; null, or absent, when it may. */
  holdOf?(agentId: string, key: string): { kind: "safe_mode" | "search"; problem: Problem } | null;
  /**
   * Why no plugin of an agent may start for now: nobody can say whether its rows were changed by somebody else, because
   * the vault is closed. Null, or absent, when all is well.
   */
  doubtOf?(agentId: string): Problem | null;
  /** The encrypted profiles of named values that a plugin keeps for an agent. */
  credentials(agentId: string, pluginKey: string): HostServices["credentials"];
  /**
   * A valid access token of the plugin's sign-in. `refused`: a token that the service rejected.
   * @throws PatchbayError CREDENTIALS_REFUSED when signing in again is needed
   */
  oauthToken(agentId: string, pluginKey: string, refused?: string, sentTo?: string): Promise<string>;
  /** Whether somebody has signed in for it. */
  signedIn(agentId: string, pluginKey: string): boolean;
  /** Called when a plugin tried something that it may not do; for the audit log. */
  onRefused?(refusal: WallRefusal): void;
  /** Called when a plugin has started, has stopped, or could not start or go on; for the audit log. */
  onRun?(note: RunNote): void;
  /** Where calls, starts and restarts are counted over restarts of the app; absent: for as long as the slot is there. */
  figures?: {
    of(agentId: string, key: string): Figures;
    find(agentId: string, key: string): Figures | undefined;
  };
  /** Told when a plugin that starts names a stored secret that was not given to it. */
  withheld?(agentId: string, pluginKey: string, name: string): void;
  clock?: Clock;
}

/** What became of a plugin of an agent. */
export interface RunNote {
  agentId: string;
  pluginKey: string;
  what: "started" | "stopped" | "failed";
  /** Of one that started: its version, and milliseconds until it ran. */
  version?: string;
  ms?: number;
  /** Of one that was stopped. */
  reason?: "disabled" | "restart" | "shutdown";
  /** Of one that failed: why, without stored secrets. */
  code?: string;
  message?: string;
  problem?: Problem;
}

/** Something that a plugin tried and may not do. Names and words only, never values. */
export interface WallRefusal {
  agentId: string;
  pluginKey: string;
  /** Which wall held: `contributions`, … */
  wall: string;
  /** What it reached for: `hook on tool.before@v1`. */
  target: string;
  detail?: string;
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
  /** Sorted by plugin key; the hooks of one plugin in the order in which it registered them. */
  hooks: (HookInfo & { owner: string })[];
  commands: CommandInfo[];
  skills: { owner: string; name: string; description: string; path: string; file?: string }[];
  prompts: ({ owner: string } & PromptInfo)[];
  /** Those that are not offered before the person has looked at them. */
  heldPrompts: ({ owner: string } & PromptInfo)[];
  /** Keys of those that list what they can read. */
  resources: string[];
}

export interface PoolEvents {
  /** The view of this instance has changed. */
  instance: [agentId: string, key: string];
  log: [agentId: string, key: string, entry: LogEntry];
  /** What the running plugins of this agent offer has changed. */
  contributions: [agentId: string];
}
