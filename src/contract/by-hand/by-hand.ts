import { z } from "zod";
import { problemSchema } from "../problem.ts";
import { hookTraceSchema, toolOutcomeSchema } from "../turn.ts";

/** Most calls of one repetition. */
export const mostRepetitions = 1_000;

/** One of many equal calls. */
export const repeatedCallSchema = z.object({
  /** From 0. */
  index: z.number().int(),
  /** The whole call, with its hooks, in milliseconds. */
  ms: z.number(),
  /** The tool alone, in milliseconds; null when it did not run. */
  executeMs: z.number().nullable(),
  outcome: toolOutcomeSchema,
  problem: problemSchema.nullable(),
});
export type RepeatedCall = z.infer<typeof repeatedCallSchema>;

/** What one hook did when its event was fired by hand. */
export const firedHookSchema = hookTraceSchema.extend({
  /** What its plugin wrote meanwhile, at most 200 lines. */
  logs: z.array(z.object({ level: z.string(), origin: z.string(), text: z.string() })).optional(),
});
export type FiredHook = z.infer<typeof firedHookSchema>;
