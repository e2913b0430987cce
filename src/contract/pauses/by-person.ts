import { z } from "zod";

/** The person changed the arguments at a pause. `before`: as they were until then. */
export const editedByPersonSchema = z.object({ before: z.record(z.string(), z.unknown()) });
export type EditedByPerson = z.infer<typeof editedByPersonSchema>;

/** What the trace of a call says of the person's hand in it. */
export const byPerson = {
  editedByPerson: editedByPersonSchema.optional(),
  /** The tool did not run: the person gave its result at a pause. */
  givenByPerson: z.literal(true).optional(),
};
