import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { type Collection, only, type Rows, type Storage } from "../store/index.ts";

/** Failed unlocks one after the other that cost no pause: people mistype. */
const FREE = 3;
/** The longest pause, seconds. */
const LONGEST = 15 * 60;

const attemptsSchema = z.object({
  /** Failed unlocks since the last one that succeeded. */
  failed: z.number().int(),
  /** When the last one began, milliseconds since 1970. */
  at: z.number(),
});
type Attempts = z.infer<typeof attemptsSchema>;

const collection: Collection<Attempts> = { name: "unlock-attempts", schema: attemptsSchema, version: 1 };

/**
 * Slows guessing down: after the third wrong passphrase each further one costs a pause that doubles, from a second to a
 * quarter of an hour. An attempt is on disk before it is made, so ending the app forgets none.
 */
export class UnlockAttempts {
  readonly #rows: Rows<Attempts>;
  readonly #clock: Clock;

  constructor(storage: Pick<Storage, "rows">, clock: Clock = systemClock) {
    this.#rows = storage.rows(collection);
    this.#clock = clock;
  }

  /** Failed unlocks since the last one that succeeded. */
  get failed(): number {
    return this.#rows.get(only)?.failed ?? 0;
  }

  /** Notes that an attempt begins. @throws PatchbayError UNLOCK_PAUSED with `details: {seconds}`, DISK_FULL, WRITE_FAILED */
  async begin(): Promise<void> {
    const { failed, at } = this.#rows.get(only) ?? { failed: 0, at: 0 };
    const now = this.#clock.now();
    // A clock that was turned back does not make the pause longer than it is.
    const passed = now < at ? 0 : now - at;
    const left = pauseAfter(failed) * 1_000 - passed;
    if (left > 0) {
      const seconds = Math.ceil(left / 1_000);
      throw new PatchbayError(
        "UNLOCK_PAUSED",
        `After ${failed} wrong passphrases the next one can be tried in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
        { details: { failed, seconds } },
      );
    }
    await this.#rows.change(only, () => ({ failed: failed + 1, at: now }));
  }

  /** The attempt succeeded. */
  async succeeded(): Promise<void> {
    await this.#rows.change(only, () => undefined);
  }

  async close(): Promise<void> {
    await this.#rows.close();
  }
}

/** Seconds to wait after so many failed unlocks. */
export function pauseAfter(failed: number): number {
  return failed < FREE ? 0 : Math.min(2 ** (failed - FREE), LONGEST);
}
