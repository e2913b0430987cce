import { z } from "zod";
import { problemSchema } from "../problem.ts";

/** A call of the model failed before anything of its answer was shown, and is made again after a wait. */
export const modelWaitingSchema = z.object({
  type: z.literal("model_waiting"),
  /** The call that failed, from 1. */
  attempt: z.number().int(),
  /** For how long it is waited, in milliseconds. */
  ms: z.number(),
  problem: problemSchema,
});

/** The wait is over, and the model is asked again, with the same request. */
export const modelAgainSchema = z.object({
  type: z.literal("model_again"),
  /** The call that begins, from 2. */
  attempt: z.number().int(),
});
