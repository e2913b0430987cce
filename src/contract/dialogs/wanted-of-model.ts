import { z } from "zod";

/** What a plugin wants the agent's model to be asked, as it would be sent. */
export const wantedOfModelSchema = z.object({
  kind: z.literal("model"),
  /** The model, as the person knows it. */
  model: z.string(),
  /** Empty: none. */
  system: z.string(),
  messages: z.array(
    z.object({
      role: z.enum(["user", "assistant"]),
      text: z.string(),
      /** How many pictures are sent with it. */
      pictures: z.number().int(),
    }),
  ),
  /** The longest answer, in tokens. */
  mostTokens: z.number().int(),
});
export type WantedOfModel = z.infer<typeof wantedOfModelSchema>;

/** The same in lines, for terminals. */
export function wantedLines({ system, messages, mostTokens, model }: WantedOfModel): string[] {
  return [
    `To ${model}, for an answer of at most ${mostTokens} tokens:`,
    ...(system === "" ? [] : [`System prompt: ${system}`]),
    ...messages.map(({ role, text, pictures }) => {
      const more = pictures === 0 ? "" : pictures === 1 ? " [1 picture]" : ` [${pictures} pictures]`;
      return `${role === "user" ? "Message" : "Answer before"}: ${text}${more}`;
    }),
  ];
}
