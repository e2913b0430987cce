import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { GatewayFile, Problem } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { type Lease, type Leases, leaseLost, sequenceOf } from "../lease.ts";
import type { StoreEngine } from "./conf-file.ts";
import type { Fence } from "./fence.ts";
import { removeGatewayFile, writeGatewayFile } from "./gateway-file.ts";
import { acquireHomeLock, type HomeLock } from "./home-lock.ts";
import { openStateFile } from "./state-file.ts";

const generationSchema = z.object({ store: z.string(), generation: z.number().int().min(0) });

/** Milliseconds between two checks of a holder whether it still has the lease. */
const LOOK_MS = 5_000;

/**
 * The lock of a home folder as a lease. It is valid as long as the holder's process runs; the system knows that, so the
 * holder need not renew it. But the holder checks again and again whether the lock is still its own: on a shared disk
 * another machine cannot see the process and may take the lock, and people delete lock files. `lease.json` counts the
 * holders (the generation).
 */
export class FileLeases implements Leases {
  readonly #home: string;
  readonly #engine: StoreEngine | undefined;
  readonly #onNotice: (problem: Problem) => void;
  readonly #clock: Clock;
  readonly #fence: Fence;

  /** @param fence is given the held lease, so that a process that lost it cannot write any more */
  constructor(options: {
    home: string;
    engine: StoreEngine | undefined;
    onNotice(problem: Problem): void;
    clock: Clock;
    fence: Fence;
  }) {
    this.#home = options.home;
    this.#engine = options.engine;
    this.#onNotice = options.onNotice;
    this.#clock = options.clock;
    this.#fence = options.fence;
  }

  async acquire(): Promise<Lease> {
    const lock = acquireHomeLock(this.#home);
    try {
      const generation = this.#nextGeneration();
      return new FileLease({ home: this.#home, lock, generation, clock: this.#clock, fence: this.#fence });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  #nextGeneration(): z.infer<typeof generationSchema> {
    const file = openStateFile({
      path: join(this.#home, "lease.json"),
      schema: generationSchema,
      version: 1,
      initial: () => ({ store: randomUUID(), generation: 0 }),
      onNotice: this.#onNotice,
      engine: this.#engine,
    });
    return file.update(({ store, generation }) => ({ store, generation: generation + 1 }));
  }
}

class FileLease implements Lease {
  readonly holder: string;
  readonly generation: number;
  readonly epoch: string;
  readonly sequence: number;
  readonly #losing = new AbortController();
  readonly lost = this.#losing.signal;
  readonly #home: string;
  readonly #lock: HomeLock;
  readonly #clock: Clock;
  readonly #fence: Fence;
  #cancelLook: () => void = () => {};

  constructor(options: {
    home: string;
    lock: HomeLock;
    generation: z.infer<typeof generationSchema>;
    clock: Clock;
    fence: Fence;
  }) {
    const { store, generation } = options.generation;
    this.#home = options.home;
    this.#lock = options.lock;
    this.#clock = options.clock;
    this.#fence = options.fence;
    this.holder = options.lock.token;
    this.generation = generation;
    this.epoch = store;
    this.sequence = sequenceOf(generation);
    this.#fence.hold({ lost: this.lost, look: () => this.#look() });
    this.#lookLater();
  }

  async announce(gateway: GatewayFile): Promise<void> {
    this.#fence.look();
    writeGatewayFile(this.#home, gateway);
  }

  async withdraw(): Promise<void> {
    removeGatewayFile(this.#home);
  }

  async release(): Promise<void> {
    this.#cancelLook();
    // A process that has lost the lease must not write even while it closes, so the fence keeps the lost lease.
    if (!this.lost.aborted) this.#fence.hold(null);
    this.#lock.release();
  }

  #look(): void {
    if (!this.lost.aborted && !this.#lock.isHeld()) this.#losing.abort(leaseLost());
  }

  #lookLater(): void {
    this.#cancelLook = this.#clock.after(LOOK_MS, () => {
      this.#look();
      if (!this.lost.aborted) this.#lookLater();
    });
  }
}
