import { type ChannelClock, pause } from "@patchbay/plugin-sdk/channel";

/** How fast lines may go out: so many at once, then one in this time (milliseconds). */
export interface Pace {
  burst: number;
  everyMs: number;
}

/**
 * Keeps the pace of lines below what servers treat as flooding. One for each connection. Each conversation asks for one
 * line at a time, so that they take turns line by line.
 */
export class FloodControl {
  readonly #clock: ChannelClock;
  #pace: Pace;
  #free: number;
  #since: number;
  #turn: Promise<void> = Promise.resolve();

  constructor(clock: ChannelClock, pace: Pace) {
    this.#clock = clock;
    this.#pace = pace;
    this.#free = pace.burst;
    this.#since = clock.now();
  }

  /** What is known of the server by now. */
  set pace(pace: Pace) {
    this.#refill();
    this.#free = Math.min(pace.burst, this.#free + Math.max(0, pace.burst - this.#pace.burst));
    this.#pace = pace;
  }

  /** Resolves when the next line may go out, first come first served; also when `signal` is aborted. */
  next(signal: AbortSignal): Promise<void> {
    const turn = this.#turn.then(() => this.#wait(signal));
    this.#turn = turn;
    return turn;
  }

  /** Something goes out that may not wait, and counts. */
  spend(): void {
    this.#refill();
    this.#free = Math.max(-this.#pace.burst, this.#free - 1);
  }

  /** A line that could have gone out did not. */
  giveBack(): void {
    this.#free = Math.min(this.#pace.burst, this.#free + 1);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    this.#refill();
    if (this.#free < 1) {
      await pause(this.#clock, (1 - this.#free) * this.#pace.everyMs, signal);
      this.#refill();
    }
    this.#free -= 1;
  }

  #refill(): void {
    const now = this.#clock.now();
    this.#free = Math.min(this.#pace.burst, this.#free + (now - this.#since) / this.#pace.everyMs);
    this.#since = now;
  }
}
