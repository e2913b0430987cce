import type { PluginStorage } from "@patchbay/plugin-sdk";
import { normalId } from "./wire.ts";

const KEY = "holders";

/**
 * Whose the numbers of the settings are. A number can become somebody else's, an account cannot: the first account that
 * writes with a number is the person who was meant, and any other that comes with it later is a stranger.
 */
export class Holders {
  readonly #storage: PluginStorage;
  readonly #named: ReadonlySet<string>;
  readonly #accounts: Map<string, string>;

  /** @param named the ids of the settings; others than numbers are left alone */
  static async open(storage: PluginStorage, named: readonly string[]): Promise<Holders> {
    const numbers = new Set(named.map(normalId).filter((id) => id.startsWith("+")));
    const stored = (await storage.get(KEY)) as Record<string, string> | undefined;
    const kept = Object.entries(stored ?? {}).filter(([number]) => numbers.has(number));
    // Who is taken out of the settings is forgotten.
    if (kept.length < Object.keys(stored ?? {}).length) await storage.set(KEY, Object.fromEntries(kept));
    return new Holders(storage, numbers, new Map(kept));
  }

  private constructor(storage: PluginStorage, named: ReadonlySet<string>, accounts: Map<string, string>) {
    this.#storage = storage;
    this.#named = named;
    this.#accounts = accounts;
  }

  /** Whether this account is the one that is meant by this number. */
  isOf(number: string, account: string): boolean {
    const key = normalId(number);
    if (!this.#named.has(key)) return true;
    const holder = this.#accounts.get(key);
    if (holder !== undefined) return holder === account;
    this.#accounts.set(key, account);
    // When this is not stored, the next message stores it, or the first one after a restart counts.
    void this.#storage.set(KEY, Object.fromEntries(this.#accounts)).catch(() => {});
    return true;
  }
}
