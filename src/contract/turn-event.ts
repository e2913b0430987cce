import { z } from "zod";
import { filledPromptSchema } from "./conversation/offered.ts";
import { pluginSaidSchema } from "./effects/effects.ts";
import { modelAgainSchema, modelWaitingSchema } from "./models/waits.ts";
import { problemSchema } from "./problem.ts";
import { asideSchema, modelCallTraceSchema, storedAttachmentSchema, toolTraceSchema } from "./turn.ts";

/** The live events of a turn, for screens that watch the session. */
export const turnEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("turn_started"),
    turnId: z.string(),
    sessionId: z.string(),
    text: z.string(),
    attachments: z.array(storedAttachmentSchema).optional(),
    /** Present: the message is not sent to the model; the turn ends at once, and a `command` may follow its end. */
    aside: asideSchema.optional(),
    /** Key of the plugin that began the turn. */
    by: z.string().optional(),
    prompt: filledPromptSchema.optional(),
    at: z.iso.datetime(),
  }),
  /** A plugin left something in the conversation. `turnId`: null outside of turns. */
  z.object({
    type: z.literal("plugin_said"),
    turnId: z.string().nullable(),
    id: z.string(),
    owner: z.string(),
    said: pluginSaidSchema,
  }),
  /** A plugin wrote to the model in the middle of the turn. */
  z.object({
    type: z.literal("steered"),
    turnId: z.string(),
    id: z.string(),
    owner: z.string(),
    text: z.string(),
  }),
  /**
   * The model's thinking before its answer, where the provider streams it: a piece of it here, a finished thought in
   * `thinking`.
   */
  z.object({
    type: z.literal("thinking_delta"),
    turnId: z.string(),
    messageId: z.string(),
    text: z.string(),
  }),
  z.object({ type: z.literal("thinking"), turnId: z.string(), messageId: z.string(), text: z.string() }),
  z.object({ type: z.literal("text_delta"), turnId: z.string(), messageId: z.string(), text: z.string() }),
  /** `changedBy`: the plugins that rewrote it; absent: none did. */
  z.object({
    type: z.literal("message"),
    turnId: z.string(),
    messageId: z.string(),
    text: z.string(),
    changedBy: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal("tool_started"),
    turnId: z.string(),
    toolCallId: z.string(),
    tool: z.string(),
    title: z.string(),
    owner: z.string().nullable(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("tool_progress"),
    turnId: z.string(),
    toolCallId: z.string(),
    text: z.string(),
  }),
  z.object({
    type: z.literal("tool_ended"),
    turnId: z.string(),
    toolCallId: z.string(),
    trace: toolTraceSchema,
  }),
  z.object({
    type: z.literal("approval_requested"),
    turnId: z.string(),
    toolCallId: z.string(),
    approvalId: z.string(),
  }),
  z.object({
    type: z.literal("approval_resolved"),
    turnId: z.string(),
    toolCallId: z.string(),
    approvalId: z.string(),
    status: z.string(),
  }),
  /** The model is asked again after a wait; `until`: when. */
  modelWaitingSchema.extend({ turnId: z.string(), until: z.iso.datetime() }),
  modelAgainSchema.extend({ turnId: z.string() }),
  z.object({ type: z.literal("model_call"), turnId: z.string(), call: modelCallTraceSchema }),
  z.object({ type: z.literal("command"), id: z.string(), text: z.string(), output: z.string() }),
  z.object({ type: z.literal("session_cleared"), sessionId: z.string() }),
  /** A summary, under this entry, has taken the place of what was said before. */
  z.object({
    type: z.literal("session_compacted"),
    sessionId: z.string(),
    id: z.string(),
    summary: z.string(),
  }),
  /** The conversation went back in its tree. `restore`: the text of the message before which it went, to be written anew. */
  z.object({ type: z.literal("session_branched"), sessionId: z.string(), restore: z.string().nullable() }),
  /** A name in its tree changed. */
  z.object({ type: z.literal("session_labelled"), sessionId: z.string() }),
  /** The person is to be shown the conversation `to` in its place. */
  z.object({ type: z.literal("session_left"), sessionId: z.string(), to: z.string() }),
  z.object({
    type: z.literal("turn_ended"),
    turnId: z.string(),
    outcome: z.enum(["done", "failed", "aborted"]),
    text: z.string(),
    problem: problemSchema.nullable(),
    ms: z.number(),
  }),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;
