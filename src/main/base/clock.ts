/** Time as the pool sees it. Tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once after `ms` milliseconds; returns what cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

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
    this.#since = clock.now();
    this.#cancel = clock.after(ms, expire);
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#cancel();
    this.#left -= this.#clock.now() - this.#since;
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#since = this.#clock.now();
    this.#cancel = this.#clock.after(Math.max(0, this.#left), this.#expire);
  }

  /** Ends it for good. */
  stop(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#cancel();
  }
}
