import type { Clock } from "../../base/clock.ts";
import { leaseLost } from "../lease.ts";

/** The lease that this process holds. */
interface Held {
  readonly lost: AbortSignal;
  /** Checks whether the lease is still held; when it is not, `lost` is aborted. */
  look(): void;
}

/**
 * Milliseconds for which one check of the lease is valid for logs and blobs. A check takes about 5 µs, which would
 * otherwise be added to each line of a turn's record.
 */
const FRESH_MS = 100;

/**
 * Refuses writes of a process that has lost the lease, because they would overwrite those of the process that took it
 * over. A process that never had the lease, or has given it back, may write: tools fill a folder without a lease,
 * before any app uses it.
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

  /**
   * Checks the lease by reading a small file. Called before writes of rows.
   * @throws PatchbayError LEASE_LOST
   */
  look(): void {
    if (!this.#held) return;
    this.#lookedAt = this.#clock.ticks();
    this.#held.look();
    if (this.#held.lost.aborted) throw leaseLost();
  }

  /**
   * As `look`, but a check of the last {@link FRESH_MS} milliseconds counts. Called before writes of logs and blobs.
   * @throws PatchbayError LEASE_LOST
   */
  check(): void {
    if (!this.#held) return;
    if (this.#held.lost.aborted) throw leaseLost();
    if (this.#clock.ticks() - this.#lookedAt >= FRESH_MS) this.look();
  }
}
