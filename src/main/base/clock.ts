/** Time, as every part of the core takes it from outside. Tests and replays bring their own. */
export interface Clock {
  /** Milliseconds since 1970, for what is stored and shown. */
  now(): number;
  /** Milliseconds since some moment, never set back, for measuring how long something takes. */
  ticks(): number;
  /** Runs something once after `ms` milliseconds, at the latest after 24 days; returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** What a timer can hold; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** The time of a clock as it is stored and sent. */
export function isoTime(clock: Clock): string {
  return isoOf(clock.now());
}

let lastSecond = Number.NaN;
let lastText = "";

/**
 * A time, in milliseconds since 1970, as it is stored and sent. It is made for each event of a call, and a Date takes
 * several times as long for it: within one second only the last digits differ.
 *
 * @throws RangeError when it is no time
 */
export function isoOf(at: number): string {
  const second = Math.floor(at / 1_000);
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  return `${lastText}${String(Math.floor(at) - second * 1_000).padStart(3, "0")}Z`;
}
