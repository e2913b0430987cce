import { type ChannelClock, pause } from "@patchbay/plugin-sdk/channel";

/** Lines that may go out at once. */
const BURST = 4;
/** Then one line in this time, in milliseconds. */
const EVERY_MS = 2_000;

/** Keeps the pace of lines below what servers treat as flooding. One for each connection. */
export class FloodControl {
  readonly #clock: ChannelClock;
  readonly #everyMs: number;
  #free = BURST;
  #since: number;
  #turn: Promise<void> = Promise.resolve();

  constructor(clock: ChannelClock, everyMs = EVERY_MS) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#since = clock.now();
  }

  /** Resolves when the next line may go out, first come first served; also when `signal` is aborted. */
  next(signal: AbortSignal): Promise<void> {
    const turn = this.#turn.then(() => this.#wait(signal));
    this.#turn = turn;
    return turn;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    this.#refill();
    if (this.#free < 1) {
      await pause(this.#clock, (1 - this.#free) * this.#everyMs, signal);
      this.#refill();
    }
    this.#free = Math.max(0, this.#free - 1);
  }

  #refill(): void {
    const now = this.#clock.now();
    this.#free = Math.min(BURST, this.#free + (now - this.#since) / this.#everyMs);
    this.#since = now;
  }
}
