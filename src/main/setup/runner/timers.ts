import type { Clock } from "../../base/clock.ts";
import type { Timer } from "../flow/state.ts";

/** The timers of one wizard, one of each name. */
export class Timers {
  readonly #clock: Clock;
  readonly #due: (timer: Timer) => void;
  readonly #cancels = new Map<Timer, () => void>();

  constructor(clock: Clock, due: (timer: Timer) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Sets one, in place of the one of that name. @param at milliseconds since 1970; null: none */
  set(timer: Timer, at: number | null): void {
    this.#cancels.get(timer)?.();
    this.#cancels.delete(timer);
    if (at === null) return;
    const pause = Math.max(0, at - this.#clock.now());
    this.#cancels.set(
      timer,
      this.#clock.after(pause, () => this.#due(timer)),
    );
  }
}
