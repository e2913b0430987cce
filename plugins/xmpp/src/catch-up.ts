import type { PluginStorage } from "@patchbay/plugin-sdk";
import type { Element } from "@xmpp/client";
import type { Archive } from "./archive.ts";

const KEY = "archive";

/**
 * Where the archive of the account was read up to: the id that it gave to the last message that is safe here. It is kept
 * over restarts, so that what is said while nobody is there is not lost on servers that keep it in the archive alone.
 */
export class CatchUp {
  readonly #storage: PluginStorage;
  #last: string | null = null;
  #storing: Promise<void> | null = null;
  /** It was looked, and there was nothing. */
  #wasEmpty = false;

  constructor(storage: PluginStorage) {
    this.#storage = storage;
  }

  /** A message with this id of the archive is safe. */
  reached(id: string): void {
    this.#last = id;
    // While one write is under way, the newest id waits for the next.
    this.#storing ??= this.#store().finally(() => {
      this.#storing = null;
    });
  }

  /**
   * Gives what came since, oldest first. Without a memory of the archive nothing of it is new.
   *
   * @param take resolves when the message is safe
   */
  async read(archive: Archive, take: (message: Element) => Promise<void>): Promise<void> {
    this.#last ??= ((await this.#storage.get(KEY)) as string | undefined) ?? null;
    const taken: Promise<void>[] = [];
    const newest =
      this.#last === null && !this.#wasEmpty
        ? await archive.newest()
        : await archive.after(this.#last, (message) => void taken.push(take(message)));
    // What comes from now on is new: a server that was asked for its archive gives it nowhere else.
    this.#wasEmpty = newest === null;
    // What comes in now need not wait for that.
    void Promise.all(taken).then(
      () => newest !== null && this.reached(newest),
      () => {},
    );
  }

  async #store(): Promise<void> {
    for (let stored: string | null = null; stored !== this.#last; ) {
      stored = this.#last;
      await this.#storage.set(KEY, stored).catch(() => {});
    }
  }
}
