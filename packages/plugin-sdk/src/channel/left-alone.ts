import type { PluginStorage } from "../manifest.ts";
import type { ChannelClock } from "./clock.ts";

const KEY = "channel.leftAlone";
/** Most messages that are remembered; the oldest is forgotten first. */
const MOST = 500;
/** A stranger may write a lot: what came within this time, in milliseconds, is written down at once. */
const WRITE_MS = 5_000;

/**
 * Messages of people who were on no list when they wrote. Some platforms give what came a while ago once more, and by then
 * such a person may have been let in: an old message must not be answered out of the blue.
 */
export class LeftAlone {
  readonly #storage: PluginStorage;
  readonly #clock: ChannelClock;
  readonly #keys: Set<string>;
  #callOff: (() => void) | null = null;

  static async open(storage: PluginStorage, clock: ChannelClock): Promise<LeftAlone> {
    const stored = (await storage.get(KEY)) as string[] | undefined;
    return new LeftAlone(storage, clock, stored ?? []);
  }

  private constructor(storage: PluginStorage, clock: ChannelClock, keys: readonly string[]) {
    this.#storage = storage;
    this.#clock = clock;
    this.#keys = new Set(keys);
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MOST && oldest !== undefined) this.#keys.delete(oldest);
    this.#callOff ??= this.#clock.limit(WRITE_MS, () => void this.#write());
  }

  /** The message is kept after all. */
  forget(key: string): void {
    this.#keys.delete(key);
  }

  /** Writes down what is not written yet. */
  async stored(): Promise<void> {
    if (this.#callOff) await this.#write();
  }

  /** A failed write is not repeated: the next message writes again. */
  async #write(): Promise<void> {
    this.#callOff?.();
    this.#callOff = null;
    await this.#storage.set(KEY, [...this.#keys]).catch(() => {});
  }
}
