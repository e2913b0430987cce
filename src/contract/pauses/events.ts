import { z } from "zod";
import { callerSchema } from "../agent.ts";
import { json, place } from "../trace/event-parts.ts";
import { pausePlaceSchema } from "./pauses.ts";

/** The events that a pause adds to the record of its turn. */
export const pauseEvents = [
  z.object({
    type: z.literal("paused"),
    ...place,
    where: pausePlaceSchema,
    /** The tool, the model or the event. */
    title: z.string(),
    /** Key of the plugin whose tool or hook it is. */
    owner: z.string().nullable(),
    toolCallId: z.string().optional(),
    hookId: z.string().optional(),
    /** Null: the person had gone on by one step. */
    breakpoint: z.object({ id: z.string(), name: z.string() }).nullable(),
  }),
  z.object({
    type: z.literal("resumed"),
    ...place,
    /** The number of its `paused`. */
    paused: z.number().int(),
    action: z.enum(["continue", "skip", "stop"]),
    /** Null: nobody did it. */
    by: callerSchema.nullable(),
    /** Why it went on by itself: nobody watched, the turn was stopped, or Patchbay closed. */
    why: z.enum(["unwatched", "stopped", "closed"]).optional(),
    /** What was changed, `{before, after}`, each a `PauseEdit`; absent: nothing. */
    edit: json.optional(),
    /** What the model was given in place of the tool's result, or what was said in the model's place. */
    given: z.string().optional(),
  }),
] as const;
