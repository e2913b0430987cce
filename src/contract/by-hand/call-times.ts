import type { RepeatedCall } from "./by-hand.ts";

/** What many equal calls have in common; times in milliseconds, of the whole call. */
export interface CallTimes {
  count: number;
  failures: number;
  p50: number;
  p95: number;
  max: number;
}

/** Null when there was no call. */
export function callTimes(calls: readonly RepeatedCall[]): CallTimes | null {
  const times = calls.map(({ ms }) => ms).sort((left, right) => left - right);
  if (times.length === 0) return null;
  const failures = calls.filter(({ outcome }) => outcome !== "executed").length;
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  return { count: times.length, failures, p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** A bar of a distribution: how many calls took from `from` up to `to` milliseconds. */
export interface TimeBar {
  from: number;
  to: number;
  count: number;
  failures: number;
}

/**
 * How the times of calls are distributed, in bars of the same width. The slowest twentieth is put into the last bar, so
 * that a few slow calls do not press all the others together.
 */
export function timeBars(calls: readonly RepeatedCall[], bars = 24): TimeBar[] {
  const times = calls.map(({ ms }) => ms).sort((left, right) => left - right);
  const first = times[0];
  if (first === undefined) return [];
  const end = Math.max(times[Math.ceil(times.length * 0.95) - 1] ?? first, first + 0.001);
  const width = (end - first) / bars;
  const drawn = Array.from({ length: bars }, (_, index) => ({
    from: first + width * index,
    to: first + width * (index + 1),
    count: 0,
    failures: 0,
  }));
  for (const { ms, outcome } of calls) {
    const bar = drawn[Math.min(bars - 1, Math.floor((ms - first) / width))];
    if (!bar) continue;
    bar.count += 1;
    if (outcome !== "executed") bar.failures += 1;
  }
  return drawn;
}
