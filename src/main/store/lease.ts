import { type GatewayFile, PatchbayError } from "../../contract/index.ts";

/** How many events a holder can number. Numbers are exact up to 2^53: enough for two million holders. */
const NUMBERS_OF_A_HOLDER = 2 ** 32;

export function sequenceOf(generation: number): number {
  return generation * NUMBERS_OF_A_HOLDER;
}

export interface Leases {
  /**
   * Takes the lease of the store, which one process has at a time. The lease of a holder that has ended, or has given
   * no sign of life for longer than the adapter allows, is taken over.
   *
   * @throws PatchbayError HOME_IN_USE with `details: {pid, url}` (url null without a gateway), WRITE_FAILED
   */
  acquire(): Promise<Lease>;
}

/** The right to write in a store. */
export interface Lease {
  /** Id of the holder, different each time. */
  readonly holder: string;
  /** Number of the holder: stored, and one higher for each. Adapters refuse the writes of a lower generation. */
  readonly generation: number;
  /** Id of the store, which stays the same for all holders. */
  readonly epoch: string;
  /** First number for the events of this holder; greater than all numbers that earlier holders used. */
  readonly sequence: number;
  /**
   * Aborted, with the problem as its reason, when the lease was lost: another process took it over, because this one
   * gave no sign of life for too long, or, with files, because the other could not see that this one runs.
   */
  readonly lost: AbortSignal;
  /** Publishes how to reach the holder. @throws DISK_FULL, WRITE_FAILED, LEASE_LOST */
  announce(gateway: GatewayFile): Promise<void>;
  withdraw(): Promise<void>;
  /** Gives the lease back. May be called twice. */
  release(): Promise<void>;
}

/** The error for writes of a process whose lease was taken over. */
export function leaseLost(): PatchbayError {
  return new PatchbayError(
    "LEASE_LOST",
    "Another Patchbay has taken over what this one kept; this one stops.",
  );
}
