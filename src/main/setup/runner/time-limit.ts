import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";

export interface TimeLimit {
  clock: Clock;
  limitMs: number;
  /** Whose answer is waited for, as the person knows it. */
  displayName: string;
}

/** Runs work that must answer in time. @throws PatchbayError SETUP_TIMEOUT; the work's signal is then aborted */
export async function within<T>(
  { clock, limitMs, displayName }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const stop = clock.after(limitMs, () => {
    const error = new PatchbayError(
      "SETUP_TIMEOUT",
      `The setup of ${displayName} did not answer within ${limitMs / 1_000} seconds.`,
    );
    reject(error);
    limit.abort(error);
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, limit.signal])), tooLate]);
  } finally {
    stop();
  }
}
