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
  /** Size of its text. */
  bytes: z.number().int(),
});
export type DiagnosticsFile = z.infer<typeof diagnosticsFileSchema>;

/** What was gathered, redacted already: the archive holds exactly this. */
export const diagnosticsReportSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** What the archive is called. */
  fileName: z.string(),
  files: z.array(diagnosticsFileSchema),
});
export type DiagnosticsReport = z.infer<typeof diagnosticsReportSchema>;
