import type { Clock } from "../../base/clock.ts";
import { leaseLost } from "../storage.ts";

/** What a lease says of itself. */
interface Held {
  readonly lost: AbortSignal;
  /** Looks whether it is still held; when it is not, `lost` is aborted. */
  look(): void;
}

/**
 * How old a look at the lease may be for a line of a log or a blob, in milliseconds. A look takes about 5 µs, which every
 * line of a turn's record would otherwise pay.
 */
const FRESH_MS = 100;

/**
 * Keeps a process from writing that has lost the lease: another has taken over, and would be overwritten. Who never had one,
 * or has given it back, is let through: tools fill a folder without it, before anybody else uses it.
 */
export class Fence {
  readonly #clock: Clock;
  #held: Held | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  hold(held: Held | null): void {
    this.#held = held;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** Looks at the lease, which is a read of a small file; for writes of rows. @throws PatchbayError LEASE_LOST */
  look(): void {
    if (!this.#held) return;
    this.#lookedAt = this.#clock.ticks();
    this.#held.look();
    if (this.#held.lost.aborted) throw leaseLost();
  }

  /** As `look`, but believes a look of the last tenth of a second; for logs and blobs. @throws PatchbayError LEASE_LOST */
  check(): void {
    if (!this.#held) return;
    if (this.#held.lost.aborted) throw leaseLost();
    if (this.#clock.ticks() - this.#lookedAt >= FRESH_MS) this.look();
  }
}
