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

/** A look-up that several may wait for. */
interface Shared {
  addresses: Promise<string[]>;
  waiting: number;
  over: AbortController;
}

/** The look-ups of names of one door, some at a time. Who asks for a name that is being looked up waits for that answer. */
export class LookUps {
  readonly #refused: (attempt: Attempt) => void;
  readonly #resolve: Resolve;
  readonly #slots = new Slots(AT_ONCE);
  /** Names that are looked up or wait for it. */
  readonly #shared = new Map<string, Shared>();

  constructor(refused: (attempt: Attempt) => void, resolve = bySystem) {
    this.#refused = refused;
    this.#resolve = resolve;
  }

  /** The addresses of a name. Rejects with the code `EAI_AGAIN` when too many names wait already. */
  async addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    const shared = this.#shared.get(host) ?? this.#begin(host);
    shared.waiting += 1;
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting === 0) shared.over.abort();
    };
    const { promise: given, reject } = Promise.withResolvers<never>();
    const giveUp = () => {
      leave();
      reject(signal.reason);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    try {
      return await Promise.race([shared.addresses, given]);
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  #begin(host: string): Shared {
    if (this.#shared.size >= MOST) {
      this.#refused({ wall: "network", target: `more than ${MOST} names at once`, seenBy: "wall" });
      throw Object.assign(new Error("Too many names are being looked up."), { code: "EAI_AGAIN" });
    }
    const over = new AbortController();
    const resolve = () => every.hold(over.signal, () => this.#resolve(host));
    const addresses = this.#slots
      .hold(over.signal, resolve)
      .then((found) => found.map(({ address }) => address))
      .finally(() => {
        if (this.#shared.get(host) === shared) this.#shared.delete(host);
      });
    // Those who gave up do not hear of a failure.
    addresses.catch(() => {});
    const shared = { addresses, waiting: 0, over };
    over.signal.addEventListener("abort", () => this.#shared.delete(host), { once: true });
    this.#shared.set(host, shared);
    return shared;
  }
}
