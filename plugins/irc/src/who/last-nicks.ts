/** Most accounts whose last nick is kept. */
const MOST = 1_000;

/** The nick that was last used with each account: where to look for it first. Kept from one connection to the next. */
export class LastNicks {
  /** By conversation, the oldest first. */
  readonly #nicks = new Map<string, string>();

  of(conversation: string): string | undefined {
    return this.#nicks.get(conversation);
  }

  remember(conversation: string, nick: string): void {
    this.#nicks.delete(conversation);
    this.#nicks.set(conversation, nick);
    const [oldest] = this.#nicks.keys();
    if (this.#nicks.size > MOST && oldest !== undefined) this.#nicks.delete(oldest);
  }
}
