import type { ChannelClock } from "@patchbay/plugin-sdk/channel";

/** First and longest wait before a lost connection is resumed; the wait doubles each time. Milliseconds. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** Servers keep a stream for about ten minutes. After this long the connection counts as lost. Milliseconds. */
const RESUME_WITHIN_MS = 5 * 60_000;
/** How long a connection must last until the waits begin anew. Milliseconds. */
const PROVEN_MS = 60_000;

/** When a connection that was cut is tried again, and for how long. */
export class Resuming {
  readonly #clock: ChannelClock;
  #attempts = 0;
  #upSince = 0;
  /** When the present interruption was noticed, milliseconds; null while connected. */
  #cutAt: number | null = null;

  constructor(clock: ChannelClock) {
    this.#clock = clock;
  }

  up(): void {
    this.#upSince = this.#clock.now();
    this.#cutAt = null;
  }

  /** The connection was cut, or could not be resumed. @returns milliseconds until it is tried; null: no more */
  cut(): number | null {
    const now = this.#clock.now();
    // A server that lets the account in and throws it out at once is asked less and less often.
    if (this.#cutAt === null && now - this.#upSince >= PROVEN_MS) this.#attempts = 0;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#attempts, LAST_WAIT_MS);
    this.#attempts += 1;
    this.#cutAt ??= now;
    return now - this.#cutAt > RESUME_WITHIN_MS ? null : wait * (0.75 + this.#clock.random() / 2);
  }
}
