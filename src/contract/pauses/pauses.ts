import { z } from "zod";
import { agentIdSchema, callerSchema } from "../agent.ts";
import { problemSchema } from "../problem.ts";
import { contentPartSchema } from "../turn.ts";

/**
 * Where a turn can be stopped: before a tool runs, after it has answered, before the model is asked, before a hook is told
 * of an event.
 */
export const pausePlaceSchema = z.enum(["tool", "result", "model", "hook"]);
export type PausePlace = z.infer<typeof pausePlaceSchema>;

/** What a person says of a breakpoint. A filter that is null lets everything through. */
export const breakpointInputSchema = z.object({
  /** What it is called on the screen; empty: by what it stops at. */
  name: z.string().trim().max(80).default(""),
  where: pausePlaceSchema,
  /** The tool's name on the wire, or its beginning with `*` behind it. */
  tool: z.string().trim().min(1).max(200).nullable().default(null),
  /** Key of the plugin whose tool or hook it is. */
  plugin: z.string().trim().min(1).max(200).nullable().default(null),
  /** The event that the hook is told of. */
  event: z.string().trim().min(1).max(200).nullable().default(null),
  /** A condition as `pauses/condition.ts` reads it. */
  condition: z.string().trim().max(2_000).nullable().default(null),
  enabled: z.boolean().default(true),
});
export type BreakpointInput = z.input<typeof breakpointInputSchema>;

export const breakpointSchema = breakpointInputSchema.extend({
  id: z.string(),
  agentId: agentIdSchema,
  /** How often a turn was stopped by it. */
  hits: z.number().int(),
  /** Its condition could not be judged the last time, because its pattern takes too long: nothing was stopped then. */
  slow: z.boolean(),
});
export type Breakpoint = z.infer<typeof breakpointSchema>;

/** A turn, or a call outside of turns, that stands still. What it is about is asked for by itself (`pauses.look`). */
export const pauseSchema = z.object({
  id: z.string(),
  agentId: agentIdSchema,
  sessionId: z.string(),
  /** Null outside of turns. */
  turnId: z.string().nullable(),
  where: pausePlaceSchema,
  /** What it stands before, as the screen names it: the tool, the model, or the event. */
  title: z.string(),
  /** The tool's name on the wire; null where it is not about a tool. */
  tool: z.string().nullable(),
  toolCallId: z.string().nullable(),
  /** Key of the plugin whose tool or hook it is; null: nobody's. */
  plugin: z.string().nullable(),
  /** The breakpoint that was reached, which may be gone by now; null: the person went on by one step. */
  breakpoint: z.object({ id: z.string(), name: z.string() }).nullable(),
  caller: callerSchema,
  since: z.iso.datetime(),
  /** When it goes on by itself; null while somebody watches. */
  goesOnAt: z.iso.datetime().nullable(),
  /** Whether the person may change what it is about, and go on without it. */
  canEdit: z.boolean(),
  canSkip: z.boolean(),
});
export type Pause = z.infer<typeof pauseSchema>;

const args = z.record(z.string(), z.unknown());

/** A message as hooks see it. */
export const neutralMessageSchema = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  text: z.string().max(1_000_000),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: args })).optional(),
  toolCallId: z.string().optional(),
});

/** What the person may change at a pause; in this form it is shown, given back and recorded. */
export const pauseEditSchema = z.discriminatedUnion("where", [
  z.object({ where: z.literal("tool"), arguments: args }),
  z.object({ where: z.literal("result"), content: z.array(contentPartSchema), isError: z.boolean() }),
  z.object({
    where: z.literal("model"),
    /** The whole system text. */
    system: z.string().max(1_000_000),
    messages: z.array(neutralMessageSchema).min(1),
  }),
  z.object({ where: z.literal("hook"), payload: args }),
]);
export type PauseEdit = z.infer<typeof pauseEditSchema>;

/** A pause with what it is about. Stored secrets are taken out of it. */
export const pauseViewSchema = z.object({
  pause: pauseSchema,
  subject: pauseEditSchema,
  /** What the arguments have to fit; given before a tool. */
  schema: z.record(z.string(), z.unknown()).optional(),
  /** Of a result: the arguments that the tool had, and why it failed. */
  arguments: args.optional(),
  problem: problemSchema.nullable().optional(),
  /** The fields of the hook's payload that may be changed; given before a hook. */
  fields: z.array(z.string()).optional(),
});
export type PauseView = z.infer<typeof pauseViewSchema>;

/** How a turn goes on. `step`: it stops again at the next place. */
export const pauseAnswerSchema = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("continue"),
    step: z.boolean().default(false),
    edit: pauseEditSchema.optional(),
  }),
  /** What it stood before is left out. `text`: what the model is given in place of the tool, or says in the model's place. */
  z.object({
    action: z.literal("skip"),
    step: z.boolean().default(false),
    text: z.string().max(1_000_000).default(""),
  }),
  z.object({ action: z.literal("stop") }),
]);
export type PauseAnswer = z.infer<typeof pauseAnswerSchema>;

/** Everything that a screen has to know of pauses, whole with each change. */
export const pauseStateSchema = z.object({
  pauses: z.array(pauseSchema),
  breakpoints: z.array(breakpointSchema),
  /** Agents whose turns are stopped at the next place that they reach. */
  stepping: z.array(agentIdSchema),
});
export type PauseState = z.infer<typeof pauseStateSchema>;
