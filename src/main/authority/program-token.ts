import type { Clock } from "../base/clock.ts";
import { newSecret, same } from "./tokens.ts";

/** How long a token of the command line is the newest one, and how long after that it still works; milliseconds. */
const NEWEST = 60 * 60 * 1_000;
const OVERLAP = 5 * 60 * 1_000;

/**
 * The token of programs, which lies in `gateway.json`: new at each start, and replaced every hour. The one before works
 * for five more minutes, for commands that have read it.
 */
export class ProgramToken {
  readonly #clock: Clock;
  #newest = newSecret();
  #before: { token: string; until: number } | null = null;
  #cancel: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get newest(): string {
    return this.#newest;
  }

  knows(token: string): boolean {
    if (same(token, this.#newest)) return true;
    const before = this.#before;
    return before !== null && before.until > this.#clock.ticks() && same(token, before.token);
  }

  /** Begins to replace the token. `announce` puts the new one where programs find it. */
  begin(announce: (token: string) => void): void {
    this.#cancel = this.#clock.after(NEWEST, () => {
      this.#before = { token: this.#newest, until: this.#clock.ticks() + OVERLAP };
      this.#newest = newSecret();
      announce(this.#newest);
      this.begin(announce);
    });
  }

  end(): void {
    this.#cancel();
  }
}
