import { z } from "zod";
import { problemSchema } from "../problem.ts";
import { heldThingSchema, saidThingSchema } from "./said.ts";

/**
 * How the one start went that shows what a plugin offers, for plugin systems that say it only while they run. `open`: it was not
 * started at its present version yet; `waitsFor` is what has to be there before, null when nothing is in the way. `running`:
 * `until` is when the wait ends, where it may be long because its program may have to be fetched first; else null. `done`:
 * what it offers was taken down, by that start or by one for an agent.
 */
export const checkViewSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("open"), waitsFor: z.enum(["settings", "sign_in"]).nullable() }),
  z.object({ state: z.literal("running"), until: z.iso.datetime().nullable() }),
  z.object({ state: z.literal("failed"), problem: problemSchema }),
  z.object({
    state: z.literal("done"),
    /** How many of each. */
    tools: z.number().int(),
    prompts: z.number().int(),
    /** Null: it has none, or they were not counted. */
    resources: z.number().int().nullable(),
    /** It tells agents something. */
    instructions: z.boolean(),
    /** How many of these have words that may be meant to mislead. */
    suspicious: z.number().int(),
  }),
]);
export type CheckView = z.infer<typeof checkViewSchema>;

/** What an installed plugin says that it offers, as it was heard last. */
export const offeredSchema = z.object({
  key: z.string(),
  version: z.string(),
  things: z.array(
    saidThingSchema.omit({ words: true }).extend({
      /** Its description. */
      text: z.string(),
      suspicious: heldThingSchema.shape.suspicious,
      /** It is held: it came later than what the person agreed to, or says something else. Absent: it is not. */
      held: heldThingSchema.shape.change.optional(),
    }),
  ),
});
export type Offered = z.infer<typeof offeredSchema>;
