import { z } from "zod";
import { callerSchema } from "./agent.ts";
import { filledPromptSchema, resourceLinkSchema, takenFromSchema } from "./conversation/offered.ts";
import { placeEntries } from "./conversation/place-entries.ts";
import { effectSchema } from "./effects/effects.ts";
import { pluginEntries } from "./effects/entries.ts";
import { byPerson } from "./pauses/by-person.ts";
import { problemSchema } from "./problem.ts";

/** Numbers of the messages that came in through a channel and went out through it. */
export const trafficSchema = z.object({
  received: z.number().int(),
  sent: z.number().int(),
  lastInAt: z.iso.datetime().nullable(),
  lastOutAt: z.iso.datetime().nullable(),
});
export type Traffic = z.infer<typeof trafficSchema>;

export const sessionSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  title: z.string(),
  source: z.object({
    kind: z.enum(["owner", "channel"]),
    channel: z.string().optional(),
    conversation: z.string().optional(),
    /** Several people take part. */
    group: z.boolean().optional(),
    /** The group, channel or room of the platform that the conversation belongs to, as its first message said. */
    room: z.string().optional(),
  }),
  status: z.enum(["idle", "running", "awaiting_approval", "closed"]),
  /** The person wants it at the top of lists. */
  pinned: z.boolean().optional(),
  /** Notes of the channel package about the conversation, which it needs to find it again on the platform. */
  about: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  messages: z.number().int(),
  /** Absent for a session that is no conversation of a channel. */
  traffic: trafficSchema.optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Session = z.infer<typeof sessionSchema>;

/** A conversation that a search has found. `excerpt`: a piece of what was said with the words; null where its title has them. */
export const foundSessionSchema = z.object({ session: sessionSchema, excerpt: z.string().nullable() });
export type FoundSession = z.infer<typeof foundSessionSchema>;

export const contentPartSchema = z.discriminatedUnion("type", [
  /** `link`: it names something that the person can attach. Models are not sent it. */
  z.object({ type: z.literal("text"), text: z.string(), link: resourceLinkSchema.optional() }),
  z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
]);
export type ContentPart = z.infer<typeof contentPartSchema>;

export const toolOutcomeSchema = z.enum(["executed", "failed", "vetoed", "denied", "rejected", "timed_out"]);
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;

/** A file that came with a message. */
export const storedAttachmentSchema = z.object({
  name: z.string(),
  mimeType: z.string(),
  bytes: z.number().int(),
  /** Its name in the folder beside the session's file. */
  file: z.string(),
  /**
   * Path of the copy for the agent, relative to its workspace folder; absent for a picture that is sent to the model
   * itself.
   */
  workspacePath: z.string().optional(),
  /** It is a resource of a plugin. */
  resource: takenFromSchema.optional(),
});
export type StoredAttachment = z.infer<typeof storedAttachmentSchema>;

/** What became of a message that no turn answers: a plugin dropped it, or made it a command. `by`: the plugin's key. */
export const asideSchema = z.discriminatedUnion("kind", [
  /** `reason`: in the plugin's words; empty: it gave none. */
  z.object({ kind: z.literal("dropped"), by: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("command"), by: z.string() }),
]);
export type Aside = z.infer<typeof asideSchema>;

/** A line of a session file: what was said and done, in order. */
export const sessionEntrySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    id: z.string(),
    agentId: z.string(),
    title: z.string(),
    source: sessionSchema.shape.source,
    /** Id of the conversation that it was begun from. */
    parent: z.string().optional(),
    at: z.iso.datetime(),
    v: z.literal(1),
  }),
  z.object({
    type: z.literal("user"),
    id: z.string(),
    turnId: z.string(),
    text: z.string(),
    caller: callerSchema,
    /** The platform's id of a message that came through a channel. */
    messageId: z.string().optional(),
    attachments: z.array(storedAttachmentSchema).optional(),
    /** What whoever wrote is told before the answer: that a voice note could not be heard. */
    sorry: z.string().optional(),
    /** The model is not sent it. */
    aside: asideSchema.optional(),
    /** Key of the plugin that wrote it in the person's place. */
    by: z.string().optional(),
    prompt: filledPromptSchema.optional(),
    at: z.iso.datetime(),
  }),
  ...pluginEntries,
  /** A message in a group that was not addressed to the agent: it is kept, but no turn ran. */
  z.object({
    type: z.literal("heard"),
    id: z.string(),
    text: z.string(),
    caller: callerSchema,
    messageId: z.string().optional(),
    attachments: z.array(storedAttachmentSchema).optional(),
    at: z.iso.datetime(),
  }),
  /**
   * The answer that a channel was given to send, after all hooks. When the platform delivers the same message again,
   * the channel is given this answer and no second turn runs.
   */
  z.object({
    type: z.literal("answer"),
    id: z.string(),
    messageId: z.string().optional(),
    /** Null for a command, and for a message that a hook dropped. */
    turnId: z.string().nullable(),
    text: z.string(),
    silent: z.boolean(),
    /** The answer spoken, which goes out with the text. */
    voice: storedAttachmentSchema.optional(),
    at: z.iso.datetime(),
  }),
  z.object({
    type: z.literal("assistant"),
    id: z.string(),
    turnId: z.string(),
    text: z.string(),
    toolCalls: z.array(
      z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ),
    /** The plugins that rewrote the text; absent: none did. */
    changedBy: z.array(z.string()).optional(),
    /** The provider's own message, for sending it back unchanged. */
    raw: z.unknown().optional(),
    at: z.iso.datetime(),
  }),
  z.object({
    type: z.literal("tool_result"),
    id: z.string(),
    turnId: z.string(),
    toolCallId: z.string(),
    tool: z.string(),
    outcome: toolOutcomeSchema,
    content: z.array(contentPartSchema),
    details: z.unknown().optional(),
    at: z.iso.datetime(),
  }),
  z.object({
    type: z.literal("command"),
    id: z.string(),
    text: z.string(),
    output: z.string(),
    at: z.iso.datetime(),
  }),
  z.object({ type: z.literal("compaction"), id: z.string(), summary: z.string(), at: z.iso.datetime() }),
  z.object({
    type: z.literal("turn_end"),
    turnId: z.string(),
    outcome: z.enum(["done", "failed", "aborted"]),
    problem: problemSchema.nullable(),
    at: z.iso.datetime(),
  }),
  z.object({ type: z.literal("title"), title: z.string(), at: z.iso.datetime() }),
  ...placeEntries,
  /**
   * A message that was sent through the channel and not by the agent: by the owner, or, with `inAgentsName`, by the
   * channel's own program.
   */
  z.object({
    type: z.literal("sent"),
    id: z.string(),
    text: z.string(),
    /** The model sees the message as one of its own. */
    inAgentsName: z.literal(true).optional(),
    messageId: z.string().optional(),
    at: z.iso.datetime(),
  }),
  z.object({
    type: z.literal("about"),
    about: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    group: z.boolean(),
    room: z.string().optional(),
    at: z.iso.datetime(),
  }),
  z.object({ type: z.literal("closed"), reason: z.string(), at: z.iso.datetime() }),
]);
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** One hook's part in a pipeline, as recorded in the trace. */
export const hookTraceSchema = z.object({
  event: z.string(),
  owner: z.string(),
  hookId: z.string(),
  startedAt: z.iso.datetime(),
  ms: z.number(),
  decision: z.enum([
    "ran",
    "allowed",
    "rewrote",
    "replaced",
    "denied",
    "dropped",
    "failed",
    "timed_out",
    "not_running",
  ]),
  /** It was asked again, about the arguments that all changes had led to; absent for the first time. */
  stage: z.literal("final").optional(),
  reason: z.string().optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** What it asked for beside its answer. */
  effects: z.array(effectSchema).optional(),
});
export type HookTrace = z.infer<typeof hookTraceSchema>;

/** The steps of one tool call through the pipeline, with times. */
export const toolTraceSchema = z.object({
  toolCallId: z.string(),
  tool: z.string(),
  /** The tool's name on the screen; traces of older versions have none. */
  title: z.string().optional(),
  owner: z.string().nullable(),
  caller: callerSchema,
  startedAt: z.iso.datetime(),
  ms: z.number(),
  policy: z.object({ effect: z.enum(["allow", "ask", "deny"]), rule: z.string() }),
  arguments: z.record(z.string(), z.unknown()),
  finalArguments: z.record(z.string(), z.unknown()),
  changedBy: z.array(z.string()),
  ...byPerson,
  approval: z
    .object({ id: z.string(), status: z.string(), scope: z.string().nullable(), waitedMs: z.number() })
    .nullable(),
  executeMs: z.number().nullable(),
  hooks: z.array(hookTraceSchema),
  /** Hooks were left out. */
  straight: z.literal(true).optional(),
  outcome: toolOutcomeSchema,
  result: z.object({ content: z.array(contentPartSchema), details: z.unknown().optional() }).nullable(),
  problem: problemSchema.nullable(),
  /** What the tool asked for beside its result. */
  effects: z.array(effectSchema).optional(),
});
export type ToolTrace = z.infer<typeof toolTraceSchema>;

export const modelCallTraceSchema = z.object({
  index: z.number().int(),
  startedAt: z.iso.datetime(),
  ms: z.number(),
  model: z.string(),
  usage: z
    .object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
    .nullable(),
  stopReason: z.string().nullable(),
  messages: z.number().int(),
  tools: z.number().int(),
  problem: problemSchema.nullable(),
});
export type ModelCallTrace = z.infer<typeof modelCallTraceSchema>;

/** A line of the trace file beside a session. */
export const traceEntrySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn"), turnId: z.string(), at: z.iso.datetime(), text: z.string() }),
  z.object({ type: z.literal("model"), turnId: z.string(), call: modelCallTraceSchema }),
  z.object({ type: z.literal("tool"), turnId: z.string(), call: toolTraceSchema }),
  z.object({ type: z.literal("hook"), turnId: z.string(), hook: hookTraceSchema }),
  z.object({
    type: z.literal("turn_end"),
    turnId: z.string(),
    at: z.iso.datetime(),
    outcome: z.string(),
    ms: z.number(),
  }),
]);
export type TraceEntry = z.infer<typeof traceEntrySchema>;
