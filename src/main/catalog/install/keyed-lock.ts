/** Lets one holder a key at a time do its work, in the order of asking. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const settled = turn.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
