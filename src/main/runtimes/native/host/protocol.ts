import type { ChannelApproval, ChannelApprovalOutcome, ChannelMessage } from "@patchbay/plugin-sdk";
import type {
  Caller,
  DialogQuestion,
  HookInfo,
  LogLevel,
  Problem,
  RuntimeState,
  SetupReason,
} from "../../../../contract/index.ts";
import type { ExportFacts } from "../manifest/manifest-facts.ts";

/**
 * The messages between the app and one plugin host. Both directions are closed unions; `t` is the discriminator and
 * is kept short because a tool call's time is dominated by the size of its two messages. The app trusts nothing that
 * comes back: see `runtimes/native/host-messages.ts`.
 */
export type ToHost =
  | { t: "inspect"; dir: string }
  | { t: "start"; start: HostStart }
  | { t: "setup"; setup: HostSetup }
  | { t: "call"; id: number; call: HostCall }
  | { t: "abort"; id: number }
  | { t: "answer"; id: number; value: unknown }
  | { t: "refusal"; id: number; problem: Problem }
  | { t: "delta"; id: number; text: string }
  | { t: "approvalAsked"; approval: ChannelApproval }
  | { t: "approvalSettled"; requestId: string; outcome: ChannelApprovalOutcome }
  | { t: "ping"; id: number }
  | { t: "stop"; limitMs: number };

export interface HostStart {
  dir: string;
  agentId: string;
  /** Absolute path of the agent's workspace folder. */
  workspace: string;
  /** Settings with secrets resolved: the wrapper, or the flat object when `flatConfig`. */
  config: Record<string, unknown>;
  /** The plugin's schema and `parseConfig` speak of its one capability's object, not of the wrapper. */
  flatConfig: boolean;
  secrets: Record<string, string>;
  channel: ChannelAccess;
  /** Milliseconds a hook may take when its subscription names no limit. */
  hookMs: number;
  /** Milliseconds that undoing a failed start may take. */
  stopMs: number;
}

/** Opens the plugin's own setup; nothing of the plugin is started. */
export interface HostSetup {
  dir: string;
  agentId: string;
  reason: SetupReason;
  flatConfig: boolean;
}

export interface ChannelAccess {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  token: string;
}

export type HostCall =
  | {
      kind: "tool";
      tool: string;
      input: Record<string, unknown>;
      toolCallId: string;
      sessionId: string;
      caller: Caller;
    }
  | { kind: "hook"; hookId: string; payload: unknown }
  | { kind: "command"; name: string; args: string; sessionId: string; caller: Caller }
  /** The body in base64: messages are JSON. */
  | { kind: "webhook"; headers: Record<string, string>; rawBody: string }
  | { kind: "send"; sessionId: string; to: string; text: string }
  | HostSetupCall;

export type HostSetupCall =
  | { kind: "setup.begin"; input: Record<string, unknown> }
  | { kind: "setup.poll"; sessionId: string }
  | { kind: "setup.submit"; sessionId: string; input: Record<string, unknown> }
  | { kind: "setup.cancel"; sessionId: string }
  /** Runs `parseConfig` over settings with secrets resolved; the answer is nothing. */
  | { kind: "setup.check"; config: Record<string, unknown> };

export type FromHost =
  | { t: "inspected"; facts: ExportFacts }
  | { t: "started"; contributions: HostContributions }
  | { t: "setupReady"; submits: boolean }
  | { t: "failed"; problem: Problem }
  | { t: "result"; id: number; value?: unknown }
  | { t: "error"; id: number; problem: Problem }
  | { t: "progress"; id: number; text: string }
  /** `during` is the id of the call that the question belongs to; its clock stands still meanwhile. */
  | { t: "request"; id: number; during: number | null; request: HostRequest }
  | { t: "cancel"; id: number }
  /** `during` is the id of the call that it was written in; null outside of calls. */
  | { t: "log"; level: LogLevel; text: string; during?: number | null }
  | { t: "runtimeError"; message: string | null; credentialsRefused?: boolean }
  | { t: "runtimeState"; patch: RuntimeState }
  | { t: "hooks"; hooks: HookInfo[] }
  | { t: "pong"; id: number; memoryBytes: number }
  | { t: "stopped" };

/** What plugin code may ask of the app. */
export type HostRequest =
  | { kind: "storage.get"; key: string }
  | { kind: "storage.set"; key: string; value?: unknown }
  | { kind: "storage.delete"; key: string }
  | { kind: "credentials.get"; profile: string }
  /** Null removes the profile. */
  | { kind: "credentials.set"; profile: string; values: Record<string, string> | null }
  | { kind: "oauth.token"; refused?: string }
  | { kind: "ask"; question: DialogQuestion }
  | { kind: "prompt"; message: ChannelMessage; deltas: boolean }
  | { kind: "append"; message: ChannelMessage }
  /** From now on the app tells of calls that wait for approval. */
  | { kind: "approvals.follow" }
  | { kind: "review"; request: string; decision: "allow" | "refuse"; userId: string; role?: string };

/** What a started plugin registered; names are not joined with the namespace yet. */
export interface HostContributions {
  namespace: string | null;
  tools: HostTool[];
  toolsets: { id: string; description: string }[];
  hooks: HookInfo[];
  commands: { name: string; description: string; argsHint?: string }[];
  skills: { name: string; description: string; path: string }[];
  channel: { name: string; webhook: boolean; outbound: boolean } | null;
}
export interface HostTool {
  name: string;
  label?: string;
  description: string;
  parameters: Record<string, unknown>;
  readOnly: boolean;
}

/** Largest runtime state of an instance: characters of its JSON. */
export const MAX_RUNTIME_STATE = 16 * 1024;
/** Longest log line; the rest is cut. */
export const MAX_LOG_TEXT = 16 * 1024;
/** Most tools of one plugin. */
export const MAX_TOOLS = 64;
/** Longest `<namespace>__<tool>`: what model providers accept. */
export const MAX_TOOL_NAME = 64;
