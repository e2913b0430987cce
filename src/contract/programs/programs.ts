import { z } from "zod";

/** Another program through which the person asks. */
export const askingProgramSchema = z.object({
  /** As it names itself. */
  name: z.string().max(1_000),
  /** False: it cannot put questions to the person, so a call that would wait for an approval is refused. */
  canAsk: z.boolean(),
});
export type AskingProgram = z.infer<typeof askingProgramSchema>;
