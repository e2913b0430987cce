import { z } from "zod";

/** What a file of a diagnostics report is about. */
export const diagnosticsTopics = [
  "about",
  "versions",
  "checks",
  "settings",
  "agents",
  "plugins",
  "instances",
  "logs",
  "jobs",
  "audit",
  "traces",
  "secrets",
  "store",
  "process",
  "notices",
] as const;
export type DiagnosticsTopic = (typeof diagnosticsTopics)[number];

export const diagnosticsFileSchema = z.object({
  /** Path inside of the archive. */
  name: z.string(),
  topic: z.enum(diagnosticsTopics),
  /** Size of its text in UTF-8. */
  bytes: z.number().int(),
});
export type DiagnosticsFile = z.infer<typeof diagnosticsFileSchema>;

/** A diagnostics report, with secrets already redacted: the archive contains exactly these files. */
export const diagnosticsReportSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** File name of the archive. */
  fileName: z.string(),
  files: z.array(diagnosticsFileSchema),
});
export type DiagnosticsReport = z.infer<typeof diagnosticsReportSchema>;

/** What a look at the whole audit log found. */
export const auditVerdictSchema = z.object({
  ok: z.boolean(),
  /** Entries of the chain. */
  entries: z.number().int(),
  /** Older entries from before there was a chain; nothing can be said of those. */
  unchained: z.number().int(),
  /** Times of the chain's first and last entry; null when there is none. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The places at which the log is not as it was written; the first twenty. */
  faults: z.array(
    z.object({
      /** `YYYY-MM-DD`, the day of the file; null where no line can be named. */
      day: z.string().nullable(),
      /** The line of that file, from 1. */
      line: z.number().int().nullable(),
      at: z.string().nullable(),
      text: z.string(),
    }),
  ),
  /** What a person should know, though nothing is wrong. */
  notes: z.array(z.string()),
});
export type AuditVerdict = z.infer<typeof auditVerdictSchema>;

/** A row that something other than Patchbay changed, added or removed. It is not used unless the person accepts it. */
export const setAsideSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** An installed plugin, an agent with its policy, or what an agent has of a plugin: switch, settings, grants. */
  collection: z.enum(["plugins", "agents", "agent-plugins"]),
  agentId: z.string().nullable(),
  /** Plugin key, or for an agent its id. */
  rowId: z.string(),
  /** The row as it was found; null when it was removed. */
  value: z.unknown(),
  /** Path of a copy of the whole file as it was found. */
  file: z.string().nullable(),
  /** Whether the last genuine row is used in its place. */
  restored: z.boolean(),
  /** It is genuine, but an older one than Patchbay wrote last: somebody put it back. */
  older: z.boolean().default(false),
});
export type SetAside = z.infer<typeof setAsideSchema>;

/** The details of the problem that a notice about such a row shows. `found`: false when the row was removed. */
export type SetAsideDetails = Pick<
  SetAside,
  "id" | "collection" | "agentId" | "rowId" | "restored" | "older"
> & { found: boolean };
