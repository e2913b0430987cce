import { z } from "zod";
import { callerSchema } from "./agent.ts";
import { filledPromptSchema } from "./conversation/offered.ts";
import { modelAgainSchema, modelWaitingSchema } from "./models/waits.ts";
import { pauseEvents } from "./pauses/events.ts";
import { problemSchema } from "./problem.ts";
import { json, place, tokens, turnLinkSchema } from "./trace/event-parts.ts";
import { dialogAnswered, dialogAsked, modelLent, pluginRan } from "./trace/outside-events.ts";
import {
  asideSchema,
  contentPartSchema,
  hookTraceSchema,
  storedAttachmentSchema,
  toolOutcomeSchema,
} from "./turn.ts";

/** Version of the format of the record. The first event of each turn carries it. */
export const RECORD_VERSION = 1;

/** `newRun`: the run had ended, and another one began with this. */
const steered = { id: z.string(), owner: z.string(), text: z.string(), newRun: z.literal(true).optional() };
const hook = { event: z.string(), owner: z.string(), hookId: z.string() };

/** The events of a turn, in the order in which they can happen first. */
export const recordEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("turn_begun"),
    ...place,
    v: z.literal(RECORD_VERSION),
    sessionId: z.string(),
    agentId: z.string(),
    /** The text as it was given, before any hook. */
    text: z.string(),
    caller: callerSchema,
    channel: z.object({ name: z.string(), group: z.boolean() }).optional(),
    /** The turn in which a plugin asked for this one, or the conversation that this one was begun from. */
    from: turnLinkSchema.optional(),
    /** The agent, its limits and what its plugins offered: the inputs that a replay of the turn needs. */
    world: json,
  }),
  z.object({
    type: z.literal("message_received"),
    ...place,
    id: z.string(),
    sessionId: z.string(),
    /** The text after all hooks. */
    text: z.string(),
    /** The plugins that rewrote it. */
    changedBy: z.array(z.string()),
    caller: callerSchema,
    /** The title that the conversation gets from it. */
    title: z.string().optional(),
    messageId: z.string().optional(),
    attachments: z.array(storedAttachmentSchema).optional(),
    /** What whoever wrote is told before the answer. */
    sorry: z.string().optional(),
    /** The message was stored already and its turn was interrupted; this turn continues it. */
    resumes: z.literal(true).optional(),
    /** The message is not sent to the model. */
    aside: asideSchema.optional(),
    /** Key of the plugin that began the turn. */
    by: z.string().optional(),
    prompt: filledPromptSchema.optional(),
  }),
  z.object({
    type: z.literal("hook_asked"),
    ...place,
    ...hook,
    payload: json,
    /** It was asked again, about the payload that all changes had led to. */
    stage: z.literal("final").optional(),
  }),
  z.object({
    type: z.literal("hook_answered"),
    ...place,
    ...hook,
    decision: hookTraceSchema.shape.decision,
    reason: z.string().optional(),
    /** The payload after the hook; absent when the hook did not change it. */
    after: json.optional(),
  }),
  /** What a plugin asked for beside the answer to the call of this span, a list of `Effect`. It comes before the answer. */
  z.object({ type: z.literal("effects_asked"), ...place, owner: z.string(), effects: json }),
  /** What a plugin left in the conversation: `PluginSaid`. */
  z.object({ type: z.literal("plugin_said"), ...place, id: z.string(), owner: z.string(), said: json }),
  /** A message of a plugin that the model was sent in the middle of the turn. */
  z.object({ type: z.literal("steered"), ...place, ...steered }),
  /** Something went wrong that did not end the turn by itself: a hook that failed. */
  z.object({
    type: z.literal("problem"),
    ...place,
    owner: z.string().nullable(),
    event: z.string().nullable(),
    problem: problemSchema,
  }),
  z.object({
    type: z.literal("prompt_made"),
    ...place,
    /** The sections of the system prompt, after all hooks. */
    sections: json,
    /** How many lines of the session's file are sent to the model as history, not counting those of this turn. */
    history: z.number().int(),
  }),
  z.object({
    type: z.literal("model_asked"),
    ...place,
    index: z.number().int(),
    /** How many messages and tools it was sent. */
    messages: z.number().int(),
    tools: z.number().int(),
    /** The level of thinking that it was asked for; absent: none was. */
    thinking: z.string().optional(),
    /** The whole request to the model, after all hooks, without times. */
    request: json,
  }),
  modelWaitingSchema.extend(place),
  modelAgainSchema.extend(place),
  /** The first piece of the model's answer has arrived. */
  z.object({ type: z.literal("model_speaking"), ...place }),
  z.object({
    type: z.literal("model_answered"),
    ...place,
    model: z.string(),
    stopReason: z.string().nullable(),
    /** Tokens. `thinking` is a part of `output`; absent where the provider does not say it. Null: it said nothing. */
    usage: tokens.extend({ thinking: z.number().optional() }).nullable(),
    /** US dollars, by the provider's list price of each kind of token; absent where the price is not known. */
    cost: tokens.extend({ total: z.number() }).optional(),
    problem: problemSchema.nullable(),
    /** The provider's whole answer, before any hook. */
    response: json,
  }),
  z.object({
    type: z.literal("assistant_said"),
    ...place,
    messageId: z.string(),
    text: z.string(),
    changedBy: z.array(z.string()),
    toolCalls: z.array(
      z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ),
    /**
     * The answer in the provider's own format, to be sent back in the next request; absent when the answer was cut off.
     */
    raw: json.optional(),
  }),
  z.object({
    type: z.literal("tool_called"),
    ...place,
    toolCallId: z.string(),
    tool: z.string(),
    title: z.string(),
    owner: z.string().nullable(),
    caller: callerSchema,
    arguments: z.record(z.string(), z.unknown()),
    /** Hooks were left out. */
    straight: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("tool_judged"),
    ...place,
    toolCallId: z.string(),
    /** Key of the plugin that the tool belongs to, which may have been started for this call; null for a built-in. */
    owner: z.string().nullable(),
    /** The tool's name on the screen, when it was not known yet at the beginning of the call. */
    title: z.string().optional(),
    effect: z.enum(["allow", "ask", "deny"]),
    rule: z.string(),
  }),
  /** Hooks or the person changed the arguments. */
  z.object({
    type: z.literal("tool_rewritten"),
    ...place,
    toolCallId: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    changedBy: z.array(z.string()),
    /** The person did, at a pause. */
    byPerson: z.literal(true).optional(),
  }),
  /**
   * No approval was needed: the owner had allowed the call before, for the session or together with the call itself.
   */
  z.object({
    type: z.literal("approval_known"),
    ...place,
    toolCallId: z.string(),
    basis: z.enum(["in-advance", "session"]),
  }),
  z.object({ type: z.literal("approval_asked"), ...place, toolCallId: z.string(), approvalId: z.string() }),
  z.object({
    type: z.literal("approval_answered"),
    ...place,
    toolCallId: z.string(),
    approvalId: z.string(),
    status: z.enum(["allowed", "denied", "timed_out", "cancelled"]),
    scope: z.enum(["once", "session", "always"]).nullable(),
    decidedBy: callerSchema.nullable(),
    reason: z.string().nullable(),
  }),
  z.object({ type: z.literal("tool_started"), ...place, toolCallId: z.string() }),
  z.object({ type: z.literal("tool_progress"), ...place, toolCallId: z.string(), text: z.string() }),
  /** The tool's own answer or failure, before any hook. */
  z.object({
    type: z.literal("tool_answered"),
    ...place,
    toolCallId: z.string(),
    output: json,
    problem: problemSchema.nullable(),
  }),
  z.object({
    type: z.literal("tool_ended"),
    ...place,
    id: z.string(),
    toolCallId: z.string(),
    tool: z.string(),
    outcome: toolOutcomeSchema,
    /** `{content, details?}`; null when the tool gave nothing that could be read. */
    result: json,
    problem: problemSchema.nullable(),
    /** What held something private that was taken out: `result`, `arguments.token`. Absent: nothing did. */
    redacted: z.array(z.string()).optional(),
  }),
  /** A call that was not run: the model's answer was cut off, or the turn ended before it. */
  z.object({
    type: z.literal("tool_skipped"),
    ...place,
    id: z.string(),
    toolCallId: z.string(),
    tool: z.string(),
    content: z.array(contentPartSchema),
    details: json.optional(),
  }),
  /** A log line that a plugin wrote during one of its calls; the span is the call's. */
  z.object({
    type: z.literal("log"),
    ...place,
    owner: z.string(),
    level: z.string(),
    origin: z.string(),
    text: z.string(),
  }),
  dialogAsked,
  dialogAnswered,
  modelLent,
  pluginRan,
  /**
   * What the agent's plugins offer has changed; `offer` holds from here on: `{live, trust, required}`, as in the
   * `world` of the turn's first event.
   */
  z.object({ type: z.literal("offer_changed"), ...place, offer: json }),
  z.object({ type: z.literal("stop_asked"), ...place }),
  ...pauseEvents,
  /** How many log lines and progress messages were left out, because the record has a limit for them. */
  z.object({
    type: z.literal("left_out"),
    ...place,
    logs: z.number().int(),
    progress: z.number().int(),
  }),
  z.object({
    type: z.literal("turn_ended"),
    ...place,
    outcome: z.enum(["done", "failed", "aborted"]),
    text: z.string(),
    problem: problemSchema.nullable(),
    /** Patchbay ended during the turn; this event was added when the session was opened again. */
    cut: z.literal(true).optional(),
  }),
]);
export type RecordEvent = z.infer<typeof recordEventSchema>;

export type RecordEventOf<T extends RecordEvent["type"]> = Extract<RecordEvent, { type: T }>;

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** An event without its position in the turn, which the recorder adds. */
export type RecordFact = Without<RecordEvent, keyof typeof place>;

/** Lines of a record file that belong to no turn: what was dropped to keep it within its bound. */
export const recordNoticeSchema = z.discriminatedUnion("type", [
  /** Blobs were removed. The notice tells a reader of the record why they are missing. */
  z.object({
    type: z.literal("blobs_dropped"),
    at: z.number(),
    blobs: z.array(z.string()),
    bytes: z.number().int(),
  }),
  /** The older half of the record was removed. */
  z.object({ type: z.literal("turns_dropped"), at: z.number(), bytes: z.number().int() }),
]);
export type RecordNotice = z.infer<typeof recordNoticeSchema>;

/** A line of the record file beside a session. */
export const recordLineSchema = z.union([recordEventSchema, recordNoticeSchema]);
export type RecordLine = z.infer<typeof recordLineSchema>;
