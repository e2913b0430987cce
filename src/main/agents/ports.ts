import type {
  Agent,
  AgentPatch,
  CommandInfo,
  HookInfo,
  InstanceState,
  Language,
  LogEntry,
  Problem,
  Settings,
  ToolInfo,
  Trust,
} from "../../contract/index.ts";
import type { CallResult, CallScope, PluginCall, PromptInfo } from "../runtimes/plugin-call.ts";

/** What the running plugins of one agent offer, each with the key of its plugin. */
export interface LiveContributions {
  /** `owner` is set on every one of them. */
  tools: readonly ToolInfo[];
  toolsets: readonly { owner: string; id: string; description: string }[];
  /** In the order of registration. */
  hooks: readonly (HookInfo & { owner: string })[];
  commands: readonly CommandInfo[];
  /** `file`: where its text really lies; absent: it cannot be read. */
  skills: readonly { owner: string; name: string; description: string; path: string; file?: string }[];
  /** Absent in records of older versions. */
  prompts?: readonly (PromptInfo & { owner: string })[];
  /** Those that are not offered before the person has looked at them. Absent in records of older versions. */
  heldPrompts?: readonly (PromptInfo & { owner: string })[];
  /** Keys of the plugins that list what they can read. Absent in records of older versions. */
  resources?: readonly string[];
}

/** Hooks without which what they would check is refused, and which nothing answers. */
export interface RequiredHooks {
  owner: string;
  events: readonly string[];
  /** Its plugin runs, and has not subscribed to them. */
  unsubscribed?: true;
}

/** What agents need of the pool. */
export interface AgentPool {
  live(agentId: string): LiveContributions;
  /** Required hooks whose plugin is enabled but not running, or runs without having subscribed. */
  required(agentId: string): readonly RequiredHooks[];
  /**
   * For a tool that is missing: the installed plugin whose namespace is in its name, and why that does not run.
   * `problem` is null when the plugin is switched off.
   */
  whyMissing(agentId: string, tool: string): { plugin: string; problem: Problem | null } | undefined;
  /** Starts the tools-only plugins that are enabled. Never rejects. */
  wake(agentId: string): Promise<void>;
  /** Makes a call. The payload of a hook is copied, so that a hook cannot change the caller's. */
  call<C extends PluginCall>(agentId: string, key: string, call: C, scope: CallScope): Promise<CallResult<C>>;
  view(agentId: string, key: string): { state: InstanceState; generation: number };
  readonly changes: { on: PoolSubscription; off: PoolSubscription };
}

/** A version of a plugin that runs beside the installed one, for whoever started it alone. */
export interface OtherVersion {
  readonly key: string;
  readonly generation: number;
  /** What it offers; null while it cannot be called. */
  readonly contributions:
    | {
        [Part in "tools" | "toolsets" | "hooks" | "commands" | "skills"]: readonly Unowned<
          LiveContributions[Part]
        >[];
      }
    | null;
  /** Its required hooks that nothing answers. */
  readonly required: readonly RequiredHooks[];
  call<C extends PluginCall>(call: C, scope: CallScope): Promise<CallResult<C>>;
  readonly changes: { on(event: "log", listener: (entry: LogEntry) => void): unknown };
}

type Unowned<Parts> = Parts extends readonly (infer Part)[] ? Omit<Part, "owner"> : never;

/** Starts kept versions of plugins. */
export interface OtherVersions {
  /**
   * Null: it is the installed version.
   * @throws PatchbayError NO_OTHER_VERSION, PLUGIN_NOT_FOUND, or why it did not start
   */
  start(agentId: string, key: string, version: string, signal: AbortSignal): Promise<OtherVersion | null>;
  /** Resolves when nothing of it is left. Never rejects. */
  end(version: OtherVersion): Promise<void>;
}

interface PoolSubscription {
  /** What the running plugins of this agent offer changed. */
  (event: "contributions", listener: (agentId: string) => void): unknown;
  (event: "instance", listener: (agentId: string, key: string) => void): unknown;
  /** A plugin wrote a line. */
  (event: "log", listener: (agentId: string, key: string, entry: LogEntry) => void): unknown;
}

export interface AgentDirectory {
  get(id: string): Agent | undefined;
  /** Changes it by what it is when it is written; kept when it resolves. */
  revise(id: string, change: (current: Agent) => Pick<AgentPatch, "policy" | "shellNetwork">): Promise<Agent>;
}

/** In which language Patchbay itself speaks in the conversations of an agent. */
export interface ChatLanguages {
  of(agentId: string): Language;
  /** Calls the listener when it may have changed. The returned function ends this. */
  onChange(listener: () => void): () => void;
}

export interface PluginTrust {
  get(key: string): { trust: Trust } | undefined;
}

/** A call of a plugin's tool that failed. */
export interface FailedCall {
  agentId: string;
  pluginKey: string;
  /** The host that the plugin says it may not ask; undefined when it says none. */
  said: unknown;
  /** The arguments as the agent wrote them, and as the plugin got them. */
  inputs: readonly unknown[];
  /** When it began, in milliseconds since 1970. */
  since: number;
}

/** Says which host a failed call may be helped by, if any. `plugin`: its name on the screen. */
export type JudgeRefusedHost = (
  call: FailedCall,
) => { plugin: string; host: string; reads?: string; by: "settings" | "wall" } | null;

export interface PluginReports {
  report(agentId: string, key: string, patch: { lastError: Problem | null }): void;
}

export interface SecretLookup {
  /** The agent's own value first, then the shared one. */
  resolve(name: string, agentId: string): string | undefined;
  /** The text without any stored secret in it. */
  redact(text: string): string;
  /** True when no secret is stored, so that redacting can be skipped. Absent means that there may be some. */
  readonly hasNone?: boolean;
}

export interface LimitSource {
  get(): { readonly limits: Settings["limits"] };
}

export interface AuditSink {
  /** Records several lines in one write. A line may bring its own time as `at`. */
  record(
    ...events: { kind: string; agentId?: string; pluginKey?: string; [detail: string]: unknown }[]
  ): void;
}
