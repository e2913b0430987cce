import { z } from "zod";

const text = z.string().max(1_000_000);

const answerSchema = z.object({
  /** What the function returned, as text. Null: nothing. */
  returned: text.nullable(),
  /** The Janet error that it raised, or that it took too long. */
  error: text.nullable(),
  /** What the functions that it called left for this hook. */
  left: z
    .object({
      block: text,
      mutateInput: text,
      replaceResult: text,
      replacePrompt: text,
      requestPrompt: text,
      appendSystem: text,
      replaceContext: text,
      rewriteMessage: text,
      compactSummary: text,
    })
    .partial(),
});
/** What the host answers when it ran the function of one hook. */
export type HookAnswer = z.infer<typeof answerSchema>;

/** @returns null when the host's answer cannot be read: plugin code may have written it. */
export function readHookAnswer(value: unknown): HookAnswer | null {
  const read = answerSchema.safeParse(value);
  return read.success ? read.data : null;
}
