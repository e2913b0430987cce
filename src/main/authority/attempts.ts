import { randomInt } from "node:crypto";
import { PatchbayError } from "../../contract/index.ts";
import type { Clock } from "../base/clock.ts";
import { same } from "./tokens.ts";

/** How long a code is good; milliseconds. */
const LASTS = 5 * 60 * 1_000;
/** Wrong tries after which a code is no longer good. */
const TRIES = 5;
/** The pause after the second code that was guessed away; each further one doubles it, up to an hour. Milliseconds. */
const FIRST_PAUSE = 60 * 1_000;
const LONGEST_PAUSE = 60 * 60 * 1_000;

/**
 * The code that one asker has to type, and how often it was guessed. Two codes may be mistyped without a pause; after
 * that guessing gets slower and slower, so that six digits are enough.
 */
export class Attempts {
  readonly #clock: Pick<Clock, "ticks">;
  #code: { digits: string; until: number } | null = null;
  #wrong = 0;
  #rounds = 0;
  #lockedUntil = 0;

  constructor(clock: Pick<Clock, "ticks">) {
    this.#clock = clock;
  }

  /** The code that is good now; a new one when there is none. @throws PatchbayError CONFIRMATION_LOCKED */
  code(): { digits: string; isNew: boolean } {
    this.refuseLocked();
    const live = this.#live();
    if (live) return { digits: live, isNew: false };
    const digits = String(randomInt(1_000_000)).padStart(6, "0");
    this.#code = { digits, until: this.#clock.ticks() + LASTS };
    return { digits, isNew: true };
  }

  /** Whether this is the code. It is used up by that. @throws PatchbayError CONFIRMATION_LOCKED */
  take(typed: string): boolean {
    this.refuseLocked();
    const live = this.#live();
    const isRight = live !== null && same(typed.replace(/\s/g, ""), live);
    if (isRight) this.succeed();
    else this.fail();
    return isRight;
  }

  succeed(): void {
    this.#code = null;
    this.#wrong = 0;
    this.#rounds = 0;
    this.#lockedUntil = 0;
  }

  /** Counts a wrong code or passphrase. */
  fail(): void {
    this.#wrong += 1;
    if (this.#wrong < TRIES) return;
    this.#code = null;
    this.#wrong = 0;
    this.#rounds += 1;
    if (this.#rounds < 2) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** (this.#rounds - 2), LONGEST_PAUSE);
    this.#lockedUntil = this.#clock.ticks() + pause;
  }

  /** @throws PatchbayError CONFIRMATION_LOCKED */
  refuseLocked(): void {
    const left = this.#lockedUntil - this.#clock.ticks();
    if (left <= 0) return;
    const seconds = Math.ceil(left / 1_000);
    throw new PatchbayError("CONFIRMATION_LOCKED", `Too many wrong codes. Wait ${seconds} seconds.`, {
      details: { seconds },
    });
  }

  #live(): string | null {
    return this.#code && this.#code.until > this.#clock.ticks() ? this.#code.digits : null;
  }
}
