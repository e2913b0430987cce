import type { LogEntry, LogLevel } from "../../../../contract/agent-plugin.ts";

export const levels: LogLevel[] = ["debug", "info", "warn", "error"];

/**
 * The lines of at least a level that contain a text, in lower case; "": all. A restart of the app is shown between the
 * lines of two runs, and not where lines of one are left.
 */
export function shownLines(entries: readonly LogEntry[], level: LogLevel, wanted: string): LogEntry[] {
  const least = levels.indexOf(level);
  const shown: LogEntry[] = [];
  let restart: LogEntry | null = null;
  for (const entry of entries) {
    if (entry.mark) restart = shown.length > 0 ? entry : null;
    else if (levels.indexOf(entry.level) >= least && entry.text.toLowerCase().includes(wanted)) {
      if (restart) shown.push(restart);
      restart = null;
      shown.push(entry);
    }
  }
  return shown;
}
