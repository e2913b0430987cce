import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { within } from "../../base/limit.ts";

export interface TimeLimit {
  clock: Clock;
  limitMs: number;
  /** Whose answer is waited for, as the person knows it. */
  displayName: string;
}

/** Runs work that must answer in time. @throws PatchbayError SETUP_TIMEOUT; the work's signal is then aborted */
export function withinTime<T>(
  { clock, limitMs, displayName }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () =>
    new PatchbayError(
      "SETUP_TIMEOUT",
      `The setup of ${displayName} did not answer within ${limitMs / 1_000} seconds.`,
    );
  return within({ clock, ms: limitMs, signal, late }, (abort) => work(abort.signal));
}
