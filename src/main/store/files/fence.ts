import { leaseLost } from "../storage.ts";

/** What a lease says of itself. */
interface Held {
  readonly lost: AbortSignal;
  /** Looks whether it is still held; when it is not, `lost` is aborted. */
  look(): void;
}

/**
 * Keeps a process from writing that has lost the lease: another has taken over, and would be overwritten. Who never had one,
 * or has given it back, is let through: tools fill a folder without it, before anybody else uses it.
 */
export class Fence {
  #held: Held | null = null;

  hold(held: Held | null): void {
    this.#held = held;
  }

  /** Looks at the lease, which is a read of a small file; for writes of rows. @throws PatchbayError LEASE_LOST */
  look(): void {
    this.#held?.look();
    this.check();
  }

  /** As it was when somebody looked last; for lines of a log. @throws PatchbayError LEASE_LOST */
  check(): void {
    if (this.#held?.lost.aborted) throw leaseLost();
  }
}
