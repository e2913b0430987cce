import { lookup } from "node:dns/promises";
import { Slots } from "../../../base/slots.ts";
import type { Attempt } from "../wall.ts";

/**
 * The system's look-up of a name holds one of the four threads that the whole core has for files and names, for as long as
 * a slow name server likes. So one door has at most two of them, and all doors together leave one.
 */
const AT_ONCE = 2;
const every = new Slots(3);
/** Names that a door may have under way and waiting. */
const MOST = 64;

/** Looks a name up. */
export type Resolve = (host: string) => Promise<{ address: string }[]>;

const bySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** The look-ups of names of one door, some at a time. */
export class LookUps {
  readonly #refused: (attempt: Attempt) => void;
  readonly #resolve: Resolve;
  readonly #slots = new Slots(AT_ONCE);
  /** Names that are looked up or wait for it. */
  #asked = 0;

  constructor(refused: (attempt: Attempt) => void, resolve = bySystem) {
    this.#refused = refused;
    this.#resolve = resolve;
  }

  /** The addresses of a name. Rejects with the code `EAI_AGAIN` when too many names wait already. */
  async addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    if (this.#asked >= MOST) {
      this.#refused({ wall: "network", target: `more than ${MOST} names at once`, seenBy: "wall" });
      throw Object.assign(new Error("Too many names are being looked up."), { code: "EAI_AGAIN" });
    }
    this.#asked += 1;
    try {
      const found = await this.#slots.hold(signal, () => every.hold(signal, () => this.#resolve(host)));
      return found.map(({ address }) => address);
    } finally {
      this.#asked -= 1;
    }
  }
}
