import type { PluginStorage } from "@patchbay/plugin-sdk";

const KEY = "telegram.moves";

/**
 * Remembers groups that became supergroups and so got another id. The conversation keeps its first id, so that the
 * agent still knows what was said.
 */
export class ChatMoves {
  readonly #storage: PluginStorage;
  readonly #current: Map<string, string>;
  readonly #original: Map<string, string>;

  static async open(storage: PluginStorage): Promise<ChatMoves> {
    const stored = ((await storage.get(KEY)) ?? {}) as Record<string, string>;
    return new ChatMoves(storage, Object.entries(stored));
  }

  private constructor(storage: PluginStorage, moves: [string, string][]) {
    this.#storage = storage;
    this.#current = new Map(moves);
    this.#original = new Map(moves.map(([from, to]) => [to, from]));
  }

  /** Where the chat is now. */
  current(chat: string): string {
    return this.#current.get(chat) ?? chat;
  }

  /** Where the chat began. */
  original(chat: string): string {
    return this.#original.get(chat) ?? chat;
  }

  async moved(from: string, to: string): Promise<void> {
    const original = this.original(from);
    if (original === to || this.#current.get(original) === to) return;
    this.#current.set(original, to);
    this.#original.set(to, original);
    await this.#storage.set(KEY, Object.fromEntries(this.#current));
  }
}
