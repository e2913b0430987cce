import { type Clock, systemClock } from "../../main/base/clock.ts";
import type { Core, CoreSource } from "../../main/mcp-server/core.ts";
import type { Connection } from "../context.ts";

/** How long a core of this process stays open after its last use, milliseconds. Others wait longer than that for the store. */
const restMs = 10_000;

interface Held {
  core: Core;
  close(): Promise<void>;
}

/**
 * The core for a program that stays connected for days. A running Patchbay is used as long as it answers, and looked for
 * again after that. Where none runs, the core is opened in this process, and closed again when it was not used for a while: so
 * Patchbay can be started meanwhile, and two programs share one store.
 */
export class HeldCore implements CoreSource {
  readonly #connect: () => Promise<Connection>;
  readonly #clock: Clock;
  #held: Promise<Held> | undefined;
  #closing: Promise<void> = Promise.resolve();
  #uses = 0;
  #cancelRest: () => void = () => {};

  constructor(connect: () => Promise<Connection>, clock: Clock = systemClock) {
    this.#connect = connect;
    this.#clock = clock;
  }

  async use<T>(work: (core: Core) => Promise<T>): Promise<T> {
    this.#uses += 1;
    this.#cancelRest();
    try {
      const { core } = await this.#open();
      return await work(core);
    } finally {
      this.#uses -= 1;
      if (this.#uses === 0) await this.#rest();
    }
  }

  async close(): Promise<void> {
    this.#cancelRest();
    await this.#drop();
    await this.#closing;
  }

  #open(): Promise<Held> {
    if (!this.#held) {
      const held = this.#closing.then(() => this.#begin());
      this.#held = held;
      held.catch(() => {
        if (this.#held === held) this.#held = undefined;
      });
    }
    return this.#held;
  }

  async #begin(): Promise<Held> {
    const { client, alone, close } = await this.#connect();
    const over = new AbortController();
    const held: Held = {
      core: {
        client,
        clientOfCall: () => client,
        alone,
        over: over.signal,
        lost: () => void this.#drop(held),
      },
      close: async () => {
        over.abort();
        await close();
      },
    };
    return held;
  }

  async #rest(): Promise<void> {
    const held = await this.#held?.catch(() => undefined);
    if (!held?.core.alone || this.#uses > 0) return;
    this.#cancelRest();
    this.#cancelRest = this.#clock.after(restMs, () => void this.#drop(held));
  }

  /** @param only nothing happens when another one is held by now */
  async #drop(only?: Held): Promise<void> {
    const held = await this.#held?.catch(() => undefined);
    if (!held || (only && held !== only)) return;
    this.#held = undefined;
    this.#closing = held.close().catch(() => {});
    await this.#closing;
  }
}
