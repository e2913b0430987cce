import type { CallEffects } from "./effects.ts";

/**
 * What handlers of an event can do. `listener`: only learn of it. `transform`: change its payload. `veto`: refuse it.
 */
export type EventShape = "listener" | "transform" | "veto";

interface Base {
  agentId: string;
}
interface InSession extends Base {
  sessionId: string;
}

/** A message of the conversation, as hooks see it: provider-neutral. */
export interface AgentMessage {
  role: "user" | "assistant" | "tool";
  text: string;
  toolCalls?: { id: string; name: string; arguments: Record<string, unknown> }[];
  toolCallId?: string;
}

/** Through which chat a message came; null: it is the owner's own, from a screen or the command line. */
export type TurnChannel = { name: string; group: boolean } | null;

export type ToolCallOutcome = "executed" | "failed" | "vetoed" | "denied" | "rejected" | "timed_out";

export type ResultPart = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/** Payload of every event by its name. Times are ISO 8601 texts, durations milliseconds. */
export interface AgentEventPayloads {
  "agent.started@v1": Base & { at: string };
  "agent.stopped@v1": Base & { at: string };
  "session.opened@v1": InSession & { source: string };
  "session.closed@v1": InSession & { reason: "user" | "idle" | "shutdown" | "error" };
  "session.message.received@v1": InSession & { text: string; caller: unknown; channel: TurnChannel };
  "prompt.assemble@v1": InSession & { sections: { key: string; content: string }[] };
  "turn.start@v1": InSession & {
    turnId: string;
    text: string;
    /** The agent's model as the person wrote it; empty: it has none. */
    model: string;
    caller: unknown;
    channel: TurnChannel;
  };
  "turn.end@v1": InSession & {
    turnId: string;
    outcome: "done" | "failed" | "aborted";
    text: string;
    /** As at `turn.start@v1`. */
    model: string;
    caller: unknown;
    channel: TurnChannel;
  };
  /** `model`: the agent's model as the person wrote it. */
  "model.before@v1": InSession & { turnId: string; model: string; messages: AgentMessage[] };
  "model.after@v1": InSession & {
    turnId: string;
    message: AgentMessage;
    usage: { input: number; output: number } | null;
  };
  "message.delta@v1": InSession & { turnId: string; messageId: string; text: string };
  "message.final@v1": InSession & { turnId: string; messageId: string; text: string };
  "tool.before@v1": InSession & {
    toolCallId: string;
    toolName: string;
    args: Record<string, unknown>;
    caller: unknown;
    /**
     * You are asked again, because another plugin changed the arguments after you had seen them. These are the ones
     * that run: allow or refuse; another change counts as a refusal.
     */
    final?: true;
  };
  "tool.result@v1": InSession & {
    toolCallId: string;
    toolName: string;
    args: Record<string, unknown>;
    content: ResultPart[];
    isError: boolean;
    /** How long the tool itself took, without approvals and hooks. */
    durationMs: number;
  };
  "tool.after@v1": InSession & {
    toolCallId: string;
    toolName: string;
    args: Record<string, unknown>;
    outcome: ToolCallOutcome;
    durationMs: number;
    error?: string;
  };
  "run.end@v1": InSession & { turnId: string };
  "run.prepare@v1": InSession & { turnId: string };
  "compact.before@v1": InSession & { messages: number };
  "compact.summary@v1": InSession & { summary: string };
  /** `metadata` begins as `{userId, conversation}`: who wrote, and in which chat, as the platform names them. */
  "channel.message.in@v1": InSession & { channel: string; text: string; metadata?: Record<string, unknown> };
  "channel.message.out@v1": InSession & { channel: string; text: string; metadata?: Record<string, unknown> };
  "schedule.fired@v1": Base & { scheduleId: string; prompt: string };
  "memory.upsert@v1": Base & { key: string; content: string };
  "plugin.error@v1": Base & { pluginKey: string; event: string; message: string };
}

export type AgentEventName = keyof AgentEventPayloads;

/** The shape of every event. There are no other events. */
export const agentEventShapes: Record<AgentEventName, EventShape> = {
  "agent.started@v1": "listener",
  "agent.stopped@v1": "listener",
  "session.opened@v1": "listener",
  "session.closed@v1": "listener",
  "session.message.received@v1": "transform",
  "prompt.assemble@v1": "transform",
  "turn.start@v1": "listener",
  "turn.end@v1": "listener",
  "model.before@v1": "transform",
  "model.after@v1": "listener",
  "message.delta@v1": "listener",
  "message.final@v1": "transform",
  "tool.before@v1": "veto",
  "tool.result@v1": "transform",
  "tool.after@v1": "listener",
  "run.end@v1": "listener",
  "run.prepare@v1": "listener",
  "compact.before@v1": "listener",
  "compact.summary@v1": "transform",
  "channel.message.in@v1": "transform",
  "channel.message.out@v1": "transform",
  "schedule.fired@v1": "transform",
  "memory.upsert@v1": "listener",
  "plugin.error@v1": "listener",
};

export const agentEventNames = Object.keys(agentEventShapes) as AgentEventName[];

export function isAgentEventName(name: string): name is AgentEventName {
  return Object.hasOwn(agentEventShapes, name);
}

/** The return value of a veto handler. Any other value counts as a refusal. */
export type VetoDecision<P> = { allow: true; payload?: P } | { allow: false; reason: string };

/** The message goes no further: the model is not sent it. `reason` is shown to the person. */
export type Drop = { drop: true; reason?: string };

/**
 * What a handler returns, by the shape of its event.
 * Listener: nothing. Transform: the new payload, or nothing to leave it; `channel.message.in@v1` and
 * `session.message.received@v1` may also answer {@link Drop}. Veto: a {@link VetoDecision}.
 */
export type HandlerResult<E extends AgentEventName> = E extends "tool.before@v1"
  ? VetoDecision<AgentEventPayloads[E]>
  : E extends "channel.message.in@v1" | "session.message.received@v1"
    ? AgentEventPayloads[E] | Drop | void
    : AgentEventPayloads[E] | void;

/** The circumstances in which a handler is called. */
export interface HookCall {
  signal: AbortSignal;
  /** What it may ask for beside its answer. */
  effects: CallEffects;
}

export type EventHandler<E extends AgentEventName> = (
  payload: AgentEventPayloads[E],
  call: HookCall,
) => HandlerResult<E> | Promise<HandlerResult<E>>;

export interface SubscribeOptions {
  /** Lower runs first; ties by order of registration. Default 100. */
  priority?: number;
  /** Milliseconds. Default: the host's hook limit (2 s). */
  timeoutMs?: number;
  /**
   * What a failed or late handler means. `skip`: it is logged and the agent goes on (default for listeners and
   * transforms). `fail`: the agent stops what the event is about (default for vetoes).
   */
  failureMode?: "skip" | "fail";
}
