import { createHash } from "node:crypto";
import type { PluginStorage } from "../manifest.ts";

const SEGMENTS = 8;
const PER_SEGMENT = 150;
/** Keys with more characters are stored as a digest. */
const MAX_KEY = 64;

/**
 * Remembers the keys of at least the newest 1,050 messages. They lie in eight segments that are stored separately, so
 * that a new key rewrites only an eighth of them.
 */
export class Seen {
  readonly #segments: Set<string>[];
  /** Which segment gets new keys. */
  #current: number;
  readonly #dirty = new Set<number>();

  static async open(storage: PluginStorage): Promise<Seen> {
    const stored = await Promise.all(
      Array.from({ length: SEGMENTS }, (_, index) => storage.get(keyOf(index))),
    );
    return new Seen(stored as ({ at: number; keys: string[] } | undefined)[]);
  }

  private constructor(stored: ({ at: number; keys: string[] } | undefined)[]) {
    this.#segments = stored.map((segment) => new Set(segment?.keys));
    this.#rounds = stored.map((segment) => segment?.at ?? 0);
    this.#current = this.#rounds.indexOf(Math.max(...this.#rounds));
  }

  /** For each segment its number in the order in which segments were begun: the highest is the newest. */
  readonly #rounds: number[];

  has(key: string): boolean {
    const short = shorten(key);
    return this.#segments.some((segment) => segment.has(short));
  }

  add(key: string): void {
    if (this.has(key)) return;
    if ((this.#segments[this.#current]?.size ?? 0) >= PER_SEGMENT) {
      const round = (this.#rounds[this.#current] ?? 0) + 1;
      this.#current = (this.#current + 1) % SEGMENTS;
      this.#segments[this.#current] = new Set();
      this.#rounds[this.#current] = round;
    }
    this.#segments[this.#current]?.add(shorten(key));
    this.#dirty.add(this.#current);
  }

  /** Stores the segments that changed. A failed one is tried again at the next call. */
  async store(storage: PluginStorage): Promise<void> {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    await Promise.all(
      dirty.map(async (index) => {
        try {
          await storage.set(keyOf(index), {
            at: this.#rounds[index] ?? 0,
            keys: [...(this.#segments[index] ?? [])],
          });
        } catch (error) {
          this.#dirty.add(index);
          throw error;
        }
      }),
    );
  }
}

const keyOf = (index: number) => `channel.seen.${index}`;

function shorten(key: string): string {
  return key.length <= MAX_KEY ? key : createHash("sha256").update(key).digest("base64url");
}
