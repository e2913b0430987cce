/** Passes on to the plugin's listeners what the app tells about one thing: what it is now, and each change. */
export class FollowedNews<News> {
  readonly #what: string;
  readonly #warn: (text: string) => void;
  readonly #listeners = new Set<(news: News) => void>();
  #newest: { news: News } | null = null;

  /** @param warn told when a listener throws */
  constructor(what: string, warn: (text: string) => void) {
    this.#what = what;
    this.#warn = warn;
  }

  /** Adds a listener and calls it with what is known already. The returned function removes it. */
  add(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    if (this.#newest) this.#tell(listener, this.#newest.news);
    return () => void this.#listeners.delete(listener);
  }

  changed(news: News): void {
    this.#newest = { news };
    for (const listener of this.#listeners) this.#tell(listener, news);
  }

  #tell(listener: (news: News) => void, news: News): void {
    try {
      listener(news);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#warn(`A listener of ${this.#what} failed: ${why}`);
    }
  }
}
