import type { Clock } from "../../base/clock.ts";

/** How long a start may take. `fetches`: that long because a program may have to be fetched first. */
export interface StartTime {
  ms: number;
  fetches: boolean;
}

/** The longest that a start is waited for, however often somebody waits longer. */
const LONGEST_MS = 60 * 60 * 1_000;

/** The time limit of a start. Where a program may have to be fetched, it can be made longer while it runs. */
export class StartLimit {
  readonly #clock: Clock;
  readonly #time: StartTime;
  readonly #expire: (waited: StartTime) => void;
  readonly #begun: number;
  #ms: number;
  #cancel: () => void;

  /** Starts at once. `expire` runs once, with how long was waited, unless {@link stop} comes first. */
  constructor(clock: Clock, time: StartTime, expire: (waited: StartTime) => void) {
    this.#clock = clock;
    this.#time = time;
    this.#expire = expire;
    this.#begun = clock.now();
    this.#ms = time.ms;
    this.#cancel = this.#run(time.ms);
  }

  /** When the wait ends, in milliseconds since 1970; null where it cannot be made longer. */
  get until(): number | null {
    return this.#time.fetches ? this.#begun + this.#ms : null;
  }

  /**
   * Waits as long again as at first, but no more than an hour in all. False where that cannot be.
   * @param most waits that hour
   */
  waitLonger(most = false): boolean {
    const longest = Math.max(this.#time.ms, LONGEST_MS);
    const ms = most ? longest : Math.min(this.#ms + this.#time.ms, longest);
    if (!this.#time.fetches || ms === this.#ms) return false;
    this.#ms = ms;
    this.#cancel();
    this.#cancel = this.#run(this.#begun + ms - this.#clock.now());
    return true;
  }

  stop(): void {
    this.#cancel();
  }

  #run(ms: number): () => void {
    return this.#clock.after(Math.max(0, ms), () =>
      this.#expire({ ms: this.#ms, fetches: this.#time.fetches }),
    );
  }
}
