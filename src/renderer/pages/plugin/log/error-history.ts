import type { LogEntry } from "../../../../contract/agent-plugin.ts";

/** An error line of the log, and how often the very same was written. */
export interface PastError {
  text: string;
  origin: LogEntry["origin"];
  count: number;
  firstAt: string;
  lastAt: string;
  lastSeq: number;
}

/** The errors of a log, each text once, the latest first. */
export function pastErrors(entries: readonly LogEntry[]): PastError[] {
  const found = new Map<string, PastError>();
  for (const { level, text, origin, at, seq } of entries) {
    if (level !== "error") continue;
    const known = found.get(text);
    found.set(text, {
      text,
      origin,
      count: (known?.count ?? 0) + 1,
      firstAt: known?.firstAt ?? at,
      lastAt: at,
      lastSeq: seq,
    });
  }
  return [...found.values()].sort((a, b) => b.lastSeq - a.lastSeq);
}
