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
