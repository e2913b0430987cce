import { type Caller, type ContentPart, PatchbayError } from "../../contract/index.ts";
import type { CallAbort } from "../base/call-abort.ts";

/**
 * One call into a plugin, as data. Layers that a call passes through look at `kind` alone; only the runtime, and whoever
 * makes the call, know what else is in it.
 */
export type PluginCall =
  | {
      kind: "tool";
      name: string;
      input: Record<string, unknown>;
      toolCallId: string;
      onUpdate(text: string): void;
    }
  /** Runs one subscribed handler, by the id in `contributions.hooks`. */
  | { kind: "hook"; hookId: string; event: string; payload: unknown }
  | { kind: "command"; name: string; args: string }
  | { kind: "webhook"; request: WebhookRequest }
  /** Sends a message through the channel's outbound side. */
  | { kind: "send"; message: { sessionId: string; to: string; text: string } }
  /** Fills in one of the texts that the plugin has ready for models. */
  | { kind: "prompt"; name: string; args: Record<string, string> }
  /** Reads what the plugin has under an address of its own. */
  | { kind: "resource"; uri: string };

export type CallKind = PluginCall["kind"];
export type CallOf<K extends CallKind> = Extract<PluginCall, { kind: K }>;

/** What each kind of call resolves with. */
export interface CallResults {
  tool: ToolOutput;
  hook: HookReturn;
  /** What is shown to whoever typed it; empty when it has nothing to say. */
  command: string;
  webhook: WebhookResponse;
  send: { success: boolean; error?: string };
  prompt: PromptOutput;
  resource: ResourceOutput;
}
export type CallResult<C extends PluginCall> = CallResults[C["kind"]];

export interface ToolOutput {
  content: ContentPart[];
  details?: unknown;
}

/** What a hook handler returned, not yet judged by the bus. */
export type HookReturn = unknown;

export interface WebhookRequest {
  headers: Record<string, string>;
  rawBody: Uint8Array;
}
export interface WebhookResponse {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

export interface PromptOutput {
  messages: { role: "user" | "assistant"; content: ContentPart[] }[];
}
export interface ResourceOutput {
  contents: { uri: string; mimeType?: string; content: ContentPart }[];
}

/** Under which circumstances a call is made. */
export interface CallScope {
  /** Empty when it belongs to no conversation. */
  sessionId: string;
  caller: Caller;
  readonly signal: AbortSignal;
  /** What `signal` is the signal of, where the call has it to itself: cheaper to listen to. */
  readonly abort?: CallAbort;
  /** Milliseconds; the pool enforces it. `Infinity`: the caller does. */
  timeoutMs: number;
  /** The turn that it is part of; null outside of turns. */
  turnId: string | null;
  /** Its place in the record of the turn; null when nothing is recorded. */
  spanId: string | null;
}

/**
 * The scope of a call that its maker watches over: it alone gives the call up. The signal is read here rather than kept, so
 * that one is only made for a runtime that wants it.
 */
export class WatchedScope implements CallScope {
  readonly abort: CallAbort;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly turnId: string | null;
  readonly spanId: string | null;
  readonly timeoutMs = Number.POSITIVE_INFINITY;

  constructor(
    abort: CallAbort,
    of: Pick<CallScope, "sessionId" | "caller"> & Partial<Pick<CallScope, "turnId" | "spanId">>,
  ) {
    this.abort = abort;
    this.sessionId = of.sessionId;
    this.caller = of.caller;
    this.turnId = of.turnId ?? null;
    this.spanId = of.spanId ?? null;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}

/** The scope of a call of the owner that belongs to no conversation: a webhook, a message that they send. */
export function scopeOutsideTurns(signal: AbortSignal, timeoutMs: number): CallScope {
  return { sessionId: "", caller: { kind: "owner" }, signal, timeoutMs, turnId: null, spanId: null };
}

const kindNames: Record<CallKind, string> = {
  tool: "tools",
  hook: "hooks",
  command: "commands",
  webhook: "webhook",
  send: "channel to send through",
  prompt: "prompts",
  resource: "resources",
};

/** The refusal of a runtime whose plugins have no such thing. */
export function callUnsupported(displayName: string, kind: CallKind): PatchbayError {
  return new PatchbayError("CALL_UNSUPPORTED", `${displayName} has no ${kindNames[kind]}.`, {
    details: { plugin: displayName, kind },
  });
}
