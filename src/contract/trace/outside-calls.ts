import { z } from "zod";
import { callerSchema } from "../agent.ts";
import { toolOutcomeSchema } from "../turn.ts";

/** A call of a tool that belongs to no turn: by hand, from a terminal, or by another program. */
export const outsideCallSchema = z.object({
  /** Its `toolCallId`. */
  id: z.string(),
  title: z.string(),
  /** Key of its plugin; null: built-in, or not there. */
  owner: z.string().nullable(),
  caller: callerSchema,
  /** No hook was asked. */
  straight: z.boolean(),
  at: z.iso.datetime(),
  /** Null while it runs. */
  outcome: toolOutcomeSchema.nullable(),
  /** Milliseconds; null while it runs. */
  ms: z.number().nullable(),
  /** Of its record so far. */
  events: z.number().int(),
});
export type OutsideCall = z.infer<typeof outsideCallSchema>;

/** Most of them that are kept for one agent, until Patchbay is closed. */
export const mostOutsideCalls = 200;
