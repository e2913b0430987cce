/** Steps of one kind that may take different times, but end in the order in which they began. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Begins a step at once; resolves with its result when all steps that began before with the same key have ended. */
  async run<T>(key: string, step: Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = Promise.allSettled([before, step]);
    this.#last.set(key, mine);
    await mine;
    if (this.#last.get(key) === mine) this.#last.delete(key);
    return step;
  }
}
