import { type Clock, systemClock } from "../../base/clock.ts";
import type { FromHost } from "./protocol.ts";

/** What the messages of one second may weigh together; with more the process is ended. */
const MOST_PER_SECOND = 20_000;
/** Messages that are nobody's answer and take long to judge weigh more. */
const WEIGHTS: Partial<Record<FromHost["t"], number>> = {
  contributions: 20,
  runtimeState: 5,
  runtimeError: 5,
};
/** Most messages of one process that were refused; with more it is ended. */
const MOST_REFUSED = 1_000;

/**
 * Counts what a host sends without being asked. Answers to calls do not count: there are never more of them than calls,
 * because each second one is refused.
 */
export class Flood {
  readonly #clock: Pick<Clock, "ticks">;
  #windowStart = Number.NEGATIVE_INFINITY;
  #weight = 0;
  #refused = 0;

  constructor(clock: Pick<Clock, "ticks"> = systemClock) {
    this.#clock = clock;
  }

  /** Counts a message. Returns why the process has to be ended; undefined when it need not. */
  heard(t: FromHost["t"]): string | undefined {
    if (t === "result" || t === "error") return undefined;
    const now = this.#clock.ticks();
    if (now - this.#windowStart >= 1_000) {
      this.#windowStart = now;
      this.#weight = 0;
    }
    this.#weight += WEIGHTS[t] ?? 1;
    if (this.#weight <= MOST_PER_SECOND) return undefined;
    return "it sent more messages within a second than can be heard";
  }

  /** Counts a message that was refused; as {@link heard}. */
  refused(): string | undefined {
    this.#refused += 1;
    return this.#refused >= MOST_REFUSED ? `it sent ${this.#refused} messages that were refused` : undefined;
  }
}
