import { z } from "zod";

/** What can be said of the walls of a machine, by a name, so that each screen can say it in its own language. */
export const wallNoteCodes = [
  // Why nothing holds.
  "bubblewrapMissing",
  "bubblewrapRefused",
  "windows",
  "otherSystem",
  "libraryMissing",
  "nodeOld",
  "toolsMissing",
  "failed",
  // What can be done about it.
  "install",
  "installBubblewrap",
  "appArmor",
  "userNamespaces",
  "moreNamespaces",
  "container",
  "reinstall",
  "ownNode",
  "outsideSandbox",
  "lookAgain",
  // What a wall leaves open.
  "macUntried",
  "macReadable",
  "macPrograms",
  "macServices",
  "linuxPrograms",
  // Why not all attempts can be seen.
  "processorUnknown",
  "perlMissing",
  "linuxOld",
  "tracingForbidden",
  "noNotifications",
  "notListening",
] as const;

export const wallNoteSchema = z.object({
  code: z.enum(wallNoteCodes),
  /** What is missing or meant: programs, a path, a command. */
  name: z.string().optional(),
  /** What the system or the trial said, in its own words. */
  reason: z.string().optional(),
});
export type WallNote = z.infer<typeof wallNoteSchema>;

/** The sentences of a report by their names; null where it has none. */
export const wallNotesSchema = z.object({
  problem: wallNoteSchema.nullable(),
  help: wallNoteSchema.nullable(),
  gaps: z.array(wallNoteSchema).readonly(),
  unseen: wallNoteSchema.nullable(),
});
export type WallNotes = z.infer<typeof wallNotesSchema>;
