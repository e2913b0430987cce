import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { GatewayFile, Problem } from "../../../contract/index.ts";
import type { Lease, Leases } from "../storage.ts";
import type { StoreEngine } from "./conf-file.ts";
import { removeGatewayFile, writeGatewayFile } from "./gateway-file.ts";
import { acquireHomeLock, type HomeLock } from "./home-lock.ts";
import { openStateFile } from "./state-file.ts";

const generationSchema = z.object({ store: z.string(), generation: z.number().int().min(0) });

/**
 * The lock of a home folder as a lease. It needs no heartbeat: the system knows whether the process that holds it still runs,
 * so it lasts as long as that. How many had it is counted in `lease.json`.
 */
export class FileLeases implements Leases {
  readonly #home: string;
  readonly #engine: StoreEngine | undefined;
  readonly #onNotice: (problem: Problem) => void;

  constructor(home: string, engine: StoreEngine | undefined, onNotice: (problem: Problem) => void) {
    this.#home = home;
    this.#engine = engine;
    this.#onNotice = onNotice;
  }

  async acquire(): Promise<Lease> {
    const lock = acquireHomeLock(this.#home);
    try {
      return new FileLease(this.#home, lock, this.#nextGeneration());
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
  readonly lost = new AbortController().signal;
  readonly #home: string;
  readonly #lock: HomeLock;

  constructor(home: string, lock: HomeLock, { store, generation }: z.infer<typeof generationSchema>) {
    this.#home = home;
    this.#lock = lock;
    this.holder = lock.token;
    this.generation = generation;
    this.epoch = `${store}.${generation}`;
  }

  async announce(gateway: GatewayFile): Promise<void> {
    writeGatewayFile(this.#home, gateway);
  }

  async withdraw(): Promise<void> {
    removeGatewayFile(this.#home);
  }

  async release(): Promise<void> {
    this.#lock.release();
  }
}
