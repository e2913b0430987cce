import { z } from "zod";
import { problemSchema } from "../problem.ts";
import { toolInfoSchema } from "./tool-info.ts";

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

/** What an installed plugin says that it offers, as it was heard last, whether it runs or not. */
export const offeredSchema = z.object({
  key: z.string(),
  version: z.string(),
  /** `withheld` says what of them is held; what is switched off stands in the agent's row. */
  tools: z.array(toolInfoSchema),
  prompts: z.array(z.object({ name: z.string(), description: z.string() })),
  /** What it tells agents; null: nothing. */
  instructions: z.string().nullable(),
});
export type Offered = z.infer<typeof offeredSchema>;
