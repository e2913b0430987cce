/** Time, as every part of the core takes it from outside. Tests and replays bring their own. */
export interface Clock {
  /** Milliseconds since 1970, for what is stored and shown. */
  now(): number;
  /** Milliseconds since some moment, never set back, for measuring how long something takes. */
  ticks(): number;
  /** Runs something once after `ms` milliseconds; returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The time of a clock as it is stored and sent. */
export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** A time limit that stands still while it is paused; pauses may nest. */
export class PausableLimit {
  readonly #clock: Clock;
  readonly #expire: () => void;
  #left: number;
  #since: number;
  #pauses = 0;
  #cancel: () => void;

  /** Starts at once. */
  constructor(clock: Clock, ms: number, expire: () => void) {
    this.#clock = clock;
    this.#expire = expire;
    this.#left = ms;
    this.#since = clock.ticks();
    this.#cancel = clock.after(ms, expire);
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#cancel();
    this.#left -= this.#clock.ticks() - this.#since;
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#since = this.#clock.ticks();
    this.#cancel = this.#clock.after(Math.max(0, this.#left), this.#expire);
  }

  /** Ends it for good. */
  stop(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#cancel();
  }
}
