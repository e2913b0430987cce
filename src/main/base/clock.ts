/** Time, as every part of the core takes it from outside. Tests and replays bring their own. */
export interface Clock {
  /** Milliseconds since 1970, for what is stored and shown. */
  now(): number;
  /** Milliseconds since a fixed but unknown moment; never goes back. For measuring how long something takes. */
  ticks(): number;
  /**
   * Runs `run` once after `ms` milliseconds (at most 24 days, longer times are cut). The returned function cancels it.
   */
  after(ms: number, run: () => void): () => void;
}

/** The longest delay that `setTimeout` can hold, in milliseconds; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** The present time of a clock in the form that is stored and sent: ISO 8601 in UTC, with milliseconds. */
export function isoTime(clock: Clock): string {
  return isoOf(clock.now());
}

let lastSecond = Number.NaN;
let lastText = "";

/**
 * A time in milliseconds since 1970 as ISO 8601 text, the form that is stored and sent. Each event of a call needs one,
 * and `Date.toISOString` takes several times as long: so the text of the last second is kept, and only the milliseconds
 * are put in anew.
 *
 * @throws RangeError when `at` is not a time that a Date can hold
 */
export function isoOf(at: number): string {
  const second = Math.floor(at / 1_000);
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  return `${lastText}${String(Math.floor(at) - second * 1_000).padStart(3, "0")}Z`;
}
