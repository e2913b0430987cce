/** The first word of a command line that asks what could stand at its end. */
export const completeWord = "__complete";
/** A line of the answer: files can stand there, which shells know best. */
export const filesHere = ":files";

/** Something that can stand at the cursor. */
export interface Candidate {
  word: string;
  /** What it means, where a shell shows that. */
  meaning?: string;
}
