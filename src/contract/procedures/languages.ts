import { z } from "zod";
import { agentRef, oc } from "./refs.ts";

const troubleSchema = z.object({
  /**
   * `ended`: its program ended, at the start or later; `silent`: it did not answer in time; `refused`: it answered with an
   * error; `unstartable`: the system could not start it.
   */
  why: z.enum(["ended", "silent", "refused", "unstartable"]),
  /** Its exit code, its own words, and the last of what it wrote: for somebody who helps. */
  text: z.string(),
});
export type LanguageTrouble = z.infer<typeof troubleSchema>;

const commandSchema = z.array(z.string());

const languageServerSchema = z.object({
  name: z.string(),
  /** The program as it is looked up, then its arguments. */
  command: commandSchema,
  /** The ends of the files that it is for, with the dot. */
  files: z.array(z.string()),
  /** Whether the person added it (setting `languageServers`). */
  own: z.boolean(),
  /** Where its program lies; null: it is not on this computer. */
  path: z.string().nullable(),
  /** The command that installs it here; null where none is known. */
  install: z.string().nullable(),
  /** `ready`: it starts with the first question; `failed`: it did when it was last asked, as `trouble` says. */
  state: z.enum(["missing", "ready", "running", "failed"]),
  trouble: troubleSchema.nullable(),
});
export type LanguageServerView = z.infer<typeof languageServerSchema>;

const trialSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("answered"),
    /** The file that was asked about, relative to the workspace. */
    file: z.string(),
    /** How many names it found there, and the first of them. */
    count: z.number().int(),
    names: z.array(z.string()),
    ms: z.number().int(),
  }),
  /** The workspace has no file with such an end. */
  z.object({ outcome: z.literal("noFile") }),
  z.object({ outcome: z.literal("failed"), file: z.string(), trouble: troubleSchema }),
]);
export type LanguageTrial = z.infer<typeof trialSchema>;

export const languages = {
  /** The language servers for the code in an agent's workspace, in the order in which one is chosen for a file. */
  list: oc
    .route({ method: "GET", path: "/agents/{agentId}/languages" })
    .input(agentRef)
    .output(z.array(languageServerSchema)),
  /**
   * Asks one of those servers for the names in a file of the workspace, also when it failed just before. Does not fail when
   * the server does: that is part of the answer.
   */
  try: oc
    .route({ method: "POST", path: "/agents/{agentId}/languages/try" })
    .input(agentRef.extend({ command: commandSchema.min(1).max(50) }))
    .output(trialSchema),
};
