import type {
  ChannelApproval,
  ChannelApprovalOutcome,
  ChannelMessage,
  ChannelPeople,
} from "@patchbay/plugin-sdk";
import type {
  Caller,
  DialogQuestion,
  HookInfo,
  LogLevel,
  Problem,
  RuntimeState,
} from "../../../contract/index.ts";

/**
 * The messages between the app and a host: one process that runs one plugin, in whatever language. Both directions are
 * closed unions; `t` is the discriminator. Its name is short because the size of the two messages makes up most of the
 * time of a tool call. The content of `inspect`, `start` and `setup` is agreed between a host and its runtime. The app
 * checks everything that a host sends: see `host-messages.ts`.
 */
export type ToHost<P extends Payloads = Payloads> =
  | { t: "inspect"; inspect: P["inspect"] }
  | { t: "start"; start: P["start"] }
  | { t: "setup"; setup: P["setup"] }
  | { t: "call"; id: number; call: HostCall }
  | { t: "abort"; id: number }
  | { t: "answer"; id: number; value: unknown }
  | { t: "refusal"; id: number; problem: Problem }
  | { t: "delta"; id: number; text: string }
  | { t: "approvalAsked"; approval: ChannelApproval }
  | { t: "approvalSettled"; requestId: string; outcome: ChannelApprovalOutcome }
  | { t: "people"; people: ChannelPeople }
  | { t: "language"; language: string }
  | { t: "ping"; id: number }
  | { t: "stop"; limitMs: number };

/** The types that differ between kinds of hosts. */
export interface Payloads {
  /** Which plugin to describe. */
  inspect: unknown;
  start: unknown;
  setup: unknown;
  /** The description. */
  facts: unknown;
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
  | { kind: "prompt"; name: string; args: Record<string, string> }
  | { kind: "resource"; uri: string }
  | HostSetupCall;

export type HostSetupCall =
  | { kind: "setup.begin"; input: Record<string, unknown> }
  | { kind: "setup.poll"; sessionId: string }
  | { kind: "setup.submit"; sessionId: string; input: Record<string, unknown> }
  | { kind: "setup.cancel"; sessionId: string }
  /**
   * Runs the plugin's `parseConfig` over settings with secrets resolved. The answer has no value: only whether it
   * failed counts.
   */
  | { kind: "setup.check"; config: Record<string, unknown> };

export type FromHost<P extends Payloads = Payloads> =
  | { t: "inspected"; facts: P["facts"] }
  | { t: "started"; contributions: HostContributions }
  | { t: "setupReady"; submits: boolean }
  | { t: "failed"; problem: Problem }
  /** `effects`: what the plugin asks for beside the answer, a list of `Effect`. */
  | { t: "result"; id: number; value?: unknown; effects?: unknown }
  | { t: "error"; id: number; problem: Problem; effects?: unknown }
  | { t: "progress"; id: number; text: string }
  /**
   * A question. `during`: id of the call that it belongs to, whose time limit is paused meanwhile; null outside of
   * calls.
   */
  | { t: "request"; id: number; during: number | null; request: HostRequest }
  | { t: "cancel"; id: number }
  /** `during` is the id of the call that it was written in; null outside of calls. `output`: it was printed, not logged. */
  | { t: "log"; level: LogLevel; text: string; during?: number | null; output?: "stdout" | "stderr" }
  | { t: "runtimeError"; message: string | null; credentialsRefused?: boolean }
  | { t: "runtimeState"; patch: RuntimeState }
  /** What the plugin offers has changed. Only the changed fields are given; the others are as before. */
  | { t: "contributions"; changed: Partial<HostContributions> }
  | { t: "pong"; id: number; memoryBytes: number }
  | { t: "stopped" };

/** A question about code, as a plugin asks it. */
interface CodeQuery {
  operation: string;
  file: string;
  line?: number | undefined;
  character?: number | undefined;
  query?: string | undefined;
}

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
  /** Whether a language server could answer about a file, or about any. */
  | { kind: "code.has"; file?: string | undefined }
  /** Asks a language server about the code in the workspace. Lines and characters count from 1. */
  | ({ kind: "code.ask" } & CodeQuery)
  | { kind: "prompt"; message: ChannelMessage; deltas: boolean }
  | { kind: "append"; message: ChannelMessage }
  | { kind: "end"; conversation: string }
  /** Asks the app to send, from now on, who was let in and who waits. */
  | { kind: "people.follow" }
  | { kind: "language.follow" }
  | { kind: "introduce"; userId: string; userName?: string; conversation: string }
  | { kind: "pair"; code: string; userId: string }
  /** Asks the app to send, from now on, the calls that wait for approval. */
  | { kind: "approvals.follow"; characters?: number | undefined }
  | { kind: "review"; request: string; decision: "allow" | "refuse"; userId: string; role?: string };

/** What a started plugin registered. Tool names are the plugin's own, without the namespace. */
export interface HostContributions {
  namespace: string | null;
  tools: HostTool[];
  toolsets: { id: string; description: string }[];
  hooks: HookInfo[];
  commands: { name: string; description: string; argsHint?: string }[];
  skills: { name: string; description: string; path: string }[];
  /** Prompt templates that the plugin offers. */
  prompts?: { name: string; description: string; arguments: PromptArgument[] }[];
  channel: { name: string; webhook: boolean; outbound: boolean } | null;
}
interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}
export interface HostTool {
  name: string;
  label?: string;
  description: string;
  parameters: Record<string, unknown>;
  readOnly: boolean;
}
