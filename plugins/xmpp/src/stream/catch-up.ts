import type { PluginStorage } from "@patchbay/plugin-sdk";
import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import type { Element } from "@xmpp/client";
import type { Archive } from "./archive.ts";

const KEY = "archive";
/** Stands for an id where the archive was empty. */
const BEGINNING = "";
/**
 * Messages of different people may come in in another order than that of the archive. So what came within this time
 * (milliseconds) is read once more; what is known of it already is dropped as a repetition.
 */
const OVERLAP_MS = 60_000;
/**
 * After twice as many messages the place moves on by as many, whatever the time: a process that does not live long enough
 * would leave it where it was, and more is read again in the end than the channel remembers (1,050 messages).
 */
const OVERLAP = 100;

/**
 * Where the archive of the account was read up to: the id that it gave to a message up to which all are safe here. It is
 * kept over restarts, so that what is said while nobody is there is not lost on servers that keep it in the archive alone.
 */
export class CatchUp {
  readonly #storage: PluginStorage;
  readonly #clock: ChannelClock;
  #last: string | null = null;
  /** From where this process reads on: a page before the end of what it has read. Undefined: it has read nothing yet. */
  #from: string | null | undefined;
  /** The newest id that is safe; it becomes `#last` when it is old enough. */
  #newest: string | null = null;
  /** The ids that are safe and not yet left behind, oldest first. */
  readonly #safe: string[] = [];
  #callOff: (() => void) | null = null;
  #storing: Promise<void> | null = null;
  /** Something before the newest id may not have been read: it must not become `#last`. */
  #hasGap = false;

  constructor(storage: PluginStorage, clock: ChannelClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * A message with this id of the archive is safe, and so is everything that came in before it.
   *
   * @param old it was read from the archive, so nothing before it is missing
   */
  reached(id: string, old: boolean): void {
    this.#newest = id;
    if (this.#hasGap && !old) return;
    this.#safe.push(id);
    if (this.#safe.length >= 2 * OVERLAP) {
      this.#moveTo(this.#safe[OVERLAP - 1] as string);
      // What the timer waits for may be behind that.
      this.stop();
    }
    this.#wait();
  }

  #wait(): void {
    const id = this.#newest;
    if (id === null || this.#hasGap || this.#callOff) return;
    this.#callOff = this.#clock.limit(OVERLAP_MS, () => {
      this.#callOff = null;
      if (this.#hasGap) return;
      this.#moveTo(id);
      if (this.#newest !== id) this.#wait();
    });
  }

  #moveTo(id: string): void {
    this.#safe.splice(0, this.#safe.lastIndexOf(id) + 1);
    void this.#settle(id);
  }

  /** Ends what waits. What is not settled by then is read again. */
  stop(): void {
    this.#callOff?.();
    this.#callOff = null;
  }

  /** Whether it is known up to where the archive was read. */
  async remembers(): Promise<boolean> {
    this.#last ??= ((await this.#storage.get(KEY)) as string | undefined) ?? null;
    return this.#last !== null;
  }

  /**
   * Gives what came since, oldest first, and some of it a second time. Without a memory of the archive nothing of it is
   * new.
   *
   * @param take resolves when the message is safe
   * @throws why not everything could be read. Until that has succeeded, it is known only up to where it was before
   */
  async read(archive: Archive, take: (message: Element) => Promise<void>): Promise<void> {
    if (!(await this.remembers())) {
      // Known from now on, also by the next process: a server that was asked for its archive gives what is in it nowhere else.
      await this.#settle((await archive.newest()) ?? BEGINNING);
      return;
    }
    const taken: Promise<void>[] = [];
    this.#hasGap = true;
    const from = this.#from === undefined ? this.#last || null : this.#from;
    const upTo = await archive.after(from, (message) => void taken.push(take(message)));
    this.#hasGap = false;
    // What comes in now need not wait for that.
    void Promise.all(taken).then(
      () => {
        if (upTo === null) return;
        this.#from = upTo.before;
        this.reached(upTo.last, true);
      },
      () => {},
    );
  }

  #settle(id: string): Promise<void> {
    this.#last = id;
    // While one write is under way, the newest id waits for the next.
    this.#storing ??= this.#store().finally(() => {
      this.#storing = null;
    });
    return this.#storing;
  }

  async #store(): Promise<void> {
    for (let stored: string | null = null; stored !== this.#last; ) {
      stored = this.#last;
      await this.#storage.set(KEY, stored).catch(() => {});
    }
  }
}
