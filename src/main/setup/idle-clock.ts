import type { Clock } from "../base/clock.ts";

/** Runs out when nothing happened for long. */
export class IdleClock {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #ranOut: () => void;
  #expiresAt = 0;
  #cancel: () => void = () => {};
  #stopped = false;

  /** @param ms how long nothing may happen */
  constructor(clock: Clock, ms: number, ranOut: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#ranOut = ranOut;
  }

  /** When it runs out, in milliseconds since 1970. */
  get expiresAt(): number {
    return this.#expiresAt;
  }

  /** Something happened. */
  restart(): void {
    this.#cancel();
    this.#expiresAt = this.#clock.now() + this.#ms;
    if (!this.#stopped) this.#cancel = this.#clock.after(this.#ms, this.#ranOut);
  }

  /** For good: no timer is left, and none is set any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }
}
