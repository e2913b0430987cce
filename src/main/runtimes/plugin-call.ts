import {
  type Caller,
  type ContentPart,
  type Effect,
  PatchbayError,
  type PromptArgument,
  type ResourceInfo,
  type ResourceTemplate,
  type SuggestionRequest,
} from "../../contract/index.ts";
import type { CallAbort } from "../base/call-abort.ts";

/**
 * One call into a plugin, as a plain object. The layers between the caller and the runtime look only at `kind`; the
 * other fields are known to the caller and the runtime.
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
  /** Fills in a prompt template of the plugin. */
  | { kind: "prompt"; name: string; args: Record<string, string> }
  /** Reads a resource of the plugin by its address. */
  | { kind: "resource"; uri: string }
  /** Lists what of the plugin can be read by its address. */
  | { kind: "resources" }
  /** Suggests values for an argument of a prompt or a variable of a template, from what is typed so far. */
  | ({ kind: "suggest" } & Pick<SuggestionRequest, "of" | "field" | "value" | "others">)
  /** The person pressed a key of the plugin, by the id in `contributions.shortcuts`. */
  | { kind: "shortcut"; id: string };

export type CallKind = PluginCall["kind"];
export type CallOf<K extends CallKind> = Extract<PluginCall, { kind: K }>;

/** What each kind of call resolves with. */
export interface CallResults {
  tool: ToolOutput;
  hook: HookReturn;
  /** The text for the person who typed the command; may be empty. */
  command: string;
  webhook: WebhookResponse;
  send: { success: boolean; error?: string };
  prompt: PromptOutput;
  resource: ResourceOutput;
  resources: ResourceList;
  /** At most `mostSuggestions`. */
  suggest: string[];
  /** The text for the person; may be empty. */
  shortcut: string;
}
export type CallResult<C extends PluginCall> = CallResults[C["kind"]];

export interface ToolOutput {
  content: ContentPart[];
  details?: unknown;
}

/** What a hook handler returned. It is not checked yet; the event bus does that. */
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

/** A prompt template of a plugin. A call of the kind `prompt` fills it in. */
export interface PromptInfo {
  name: string;
  description: string;
  arguments: PromptArgument[];
}

/** What a plugin offers to the person who writes a message. */
export interface PersonOffers {
  prompts: PromptInfo[];
  /** Those of its prompts that the person has not agreed to; set by the core alone. */
  heldPrompts?: PromptInfo[];
  /** It can be asked for a list of what it can read by address. */
  resources?: true;
  /** How often it said since its start that this list has changed; absent: never. */
  resourceChanges?: number;
}
export interface PromptOutput {
  messages: { role: "user" | "assistant"; content: ContentPart[] }[];
}
export interface ResourceOutput {
  contents: ResourceContent[];
}
/** `base64`: what is no text. */
export type ResourceContent = { uri: string; mimeType?: string | undefined } & (
  | { text: string }
  | { base64: string }
);
export interface ResourceList {
  resources: readonly ResourceInfo[];
  templates: readonly ResourceTemplate[];
}

/** The circumstances of a call: for whom it is made, its limits, and its place in the record. */
export interface CallScope {
  /** Empty when the call belongs to no conversation. */
  sessionId: string;
  caller: Caller;
  readonly signal: AbortSignal;
  /**
   * The CallAbort whose signal `signal` is, when it belongs to this call alone. Listening to it is cheaper than to the
   * signal.
   */
  readonly abort?: CallAbort;
  /**
   * Tells that the call goes on, by a sign of its plugin such as progress: its time begins anew, until ten times the limit
   * have gone by altogether. Absent: its caller has no such limit.
   */
  readonly goesOn?: (() => void) | undefined;
  /** Time limit in milliseconds, enforced by the pool. `Infinity`: the caller has a limit of its own. */
  timeoutMs: number;
  /** Id of the turn that the call is part of; null outside of turns. */
  turnId: string | null;
  /** Id of the call's span in the record of the turn; null when the call is not recorded. */
  spanId: string | null;
  /**
   * Takes what the plugin asks for beside its answer, judged already (`handOnEffects`), before the call is settled.
   * Absent: the call allows nothing of the kind.
   */
  readonly effects?: ((list: readonly Effect[]) => void) | undefined;
}

/**
 * The scope of a call that only its caller ends early. `signal` is a getter, so that a signal is made only for a
 * runtime that reads it (see CallAbort).
 */
export class WatchedScope implements CallScope {
  readonly abort: CallAbort;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly turnId: string | null;
  readonly spanId: string | null;
  readonly effects: CallScope["effects"];
  readonly goesOn: CallScope["goesOn"];
  readonly timeoutMs = Number.POSITIVE_INFINITY;

  constructor(
    abort: CallAbort,
    of: Pick<CallScope, "sessionId" | "caller"> &
      Partial<Pick<CallScope, "turnId" | "spanId" | "effects" | "goesOn">>,
  ) {
    this.abort = abort;
    this.sessionId = of.sessionId;
    this.caller = of.caller;
    this.turnId = of.turnId ?? null;
    this.spanId = of.spanId ?? null;
    this.effects = of.effects;
    this.goesOn = of.goesOn;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}

/** The scope of a call in the owner's name outside of conversations: a webhook, a message that the owner sends. */
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
  resources: "resources",
  suggest: "suggestions for fields",
  shortcut: "shortcuts",
};

/** The error of a runtime whose plugins have no calls of this kind. */
export function callUnsupported(displayName: string, kind: CallKind): PatchbayError {
  return new PatchbayError("CALL_UNSUPPORTED", `${displayName} has no ${kindNames[kind]}.`, {
    details: { plugin: displayName, kind },
  });
}

/** What a plugin wants the agent's model to be asked. Which model that is, and how it is asked, the person decides. */
export interface ModelRequest {
  /** Empty: none. */
  system: string;
  /** They begin and end with one of `user`. */
  messages: {
    role: "user" | "assistant";
    text: string;
    /** Base64. */
    pictures: { data: string; mimeType: string }[];
  }[];
  /** The longest answer that it wants, in tokens. */
  maxTokens: number;
}

export interface ModelReply {
  text: string;
  /** As its provider names it. */
  model: string;
  /** The answer was longer than it may be. */
  isCut: boolean;
}
