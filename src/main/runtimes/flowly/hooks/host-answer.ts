import { z } from "zod";

const decisionSchema = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("block"), message: z.string() }),
    z.object({ kind: z.literal("replace"), text: z.string() }),
    z.object({ kind: z.literal("contexts"), texts: z.array(z.string()) }),
    z.object({ kind: z.literal("skip"), reason: z.string() }),
    z.object({ kind: z.literal("rewrite"), text: z.string() }),
  ])
  .nullable();
export type Decision = z.infer<typeof decisionSchema>;

const answerSchema = z.object({
  /** What became of the event by its own rule, over all callbacks of the plugin. */
  decision: decisionSchema,
  /** Callbacks that raised, each with what it raised. */
  failures: z.array(z.object({ error: z.string(), callback: z.string() })),
  /** What the callbacks left in the context object. */
  ctx: z
    .object({
      params: z.record(z.string(), z.unknown()).optional(),
      messages: z.array(z.unknown()).optional(),
      event: z.object({ content: z.unknown() }).optional(),
    })
    .catch({}),
});
/** What the Python host answers when it ran the callbacks of one event. */
export type HookAnswer = z.infer<typeof answerSchema>;

/** @returns null when the host's answer cannot be read: plugin code may have written it. */
export function readHookAnswer(value: unknown): HookAnswer | null {
  const read = answerSchema.safeParse(value);
  return read.success ? read.data : null;
}
