import { useMemo } from "react";
import { useLocation } from "react-router";
import type { LogEntry } from "../../../../contract/agent-plugin.ts";
import { isObject } from "../../../../contract/is-object.ts";

/** A line to which somebody was led from another screen. */
export interface WantedLine {
  /** When it was written, milliseconds since 1970. */
  at: number;
  /** What it says; null: it is only known that a line was written then. */
  text: string | null;
}

/** A line without the same text counts when it was written within so many milliseconds. */
const NEAR = 1_000;

/** Where in the log the line stands to which the person was led; null: to none, or it is not there. */
export function useWantedLine(entries: readonly LogEntry[]): { isWanted: boolean; index: number | null } {
  const wanted = wantedIn(useLocation().state);
  const [at, text] = [wanted?.at ?? null, wanted?.text ?? null];
  const index = useMemo(() => (at === null ? null : indexOfLine(entries, { at, text })), [entries, at, text]);
  return { isWanted: wanted !== null, index };
}

/** Pure. The line with this text that is nearest in time, or else the nearest of all. */
export function indexOfLine(entries: readonly LogEntry[], { at, text }: WantedLine): number | null {
  let best: { index: number; distance: number; isSame: boolean } | null = null;
  for (const [index, entry] of entries.entries()) {
    if (entry.mark) continue;
    const distance = Math.abs(Date.parse(entry.at) - at);
    const isSame = text !== null && entry.text.trim() === text.trim();
    if (!isSame && distance > NEAR) continue;
    if (best?.isSame && !isSame) continue;
    if (!best || (isSame && !best.isSame) || distance <= best.distance) best = { index, distance, isSame };
  }
  return best?.index ?? null;
}

function wantedIn(state: unknown): WantedLine | null {
  const line = isObject(state) ? state.logLine : undefined;
  if (!isObject(line) || typeof line.at !== "number") return null;
  return { at: line.at, text: typeof line.text === "string" ? line.text : null };
}
