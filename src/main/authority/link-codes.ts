import type { Clock } from "../base/clock.ts";
import { keyOf, newToken, partsOf, same, tokenText } from "./tokens.ts";

/** How long a link may wait until it is opened; milliseconds. */
const LASTS = 24 * 60 * 60 * 1_000;
/** Most links that wait at once; the oldest is forgotten first. */
const MOST = 20;

/** Codes in links, each good for one screen, once. They end with the process. */
export class LinkCodes {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #codes = new Map<string, { key: string; until: number }>();

  constructor(clock: Pick<Clock, "ticks">) {
    this.#clock = clock;
  }

  make(): string {
    const parts = newToken();
    const [oldest] = this.#codes.keys();
    if (this.#codes.size >= MOST && oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(parts.id, { key: keyOf(parts.secret), until: this.#clock.ticks() + LASTS });
    return tokenText(parts);
  }

  /** Whether the code is good. It is used up by that. */
  take(code: string): boolean {
    const parts = partsOf(code);
    const kept = parts && this.#find(parts.id);
    if (!parts || !kept || !same(keyOf(parts.secret), kept)) return false;
    return this.#codes.delete(parts.id);
  }

  /** The key of a code by its id, for the proof that this is the Patchbay of the link. */
  keys(id: string): string[] {
    const key = this.#find(id);
    return key === undefined ? [] : [key];
  }

  #find(id: string): string | undefined {
    const kept = this.#codes.get(id);
    return kept && kept.until > this.#clock.ticks() ? kept.key : undefined;
  }
}
