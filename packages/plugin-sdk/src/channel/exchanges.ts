import type { PluginStorage } from "../manifest.ts";

const KEY = "channel.exchanges";
/** Most rooms that are remembered; the one that was quiet the longest is forgotten first. */
const MOST_ROOMS = 200;

/** How often another bot was answered in a room since a person wrote there. */
interface Count {
  answered: number;
  /** It was said that no more answers follow. */
  told: boolean;
}

/**
 * Counts the exchanges with other bots, so that two agents in one room do not answer each other for ever: each gets a
 * number of answers, until a person writes. The count is stored, so that a restart does not begin it anew.
 */
export class Exchanges {
  readonly #storage: PluginStorage;
  readonly #most: number;
  readonly #rooms: Map<string, Record<string, Count>>;

  /** @param most how many messages of one bot are answered without a person between */
  static async open(storage: PluginStorage, most: number): Promise<Exchanges> {
    const stored = (await storage.get(KEY)) as Record<string, Record<string, Count>> | undefined;
    return new Exchanges(storage, most, new Map(Object.entries(stored ?? {})));
  }

  private constructor(storage: PluginStorage, most: number, rooms: Map<string, Record<string, Count>>) {
    this.#storage = storage;
    this.#most = most;
    this.#rooms = rooms;
  }

  get most(): number {
    return this.#most;
  }

  /** A person wrote in a room: the bots there are answered again. */
  person(room: string): void {
    if (this.#rooms.delete(room)) this.#store();
  }

  /** What to do with a message of a bot: answer it, say once that it was the last, or nothing. */
  judge(room: string, bot: string): "answer" | "tell" | "ignore" {
    const bots = this.#rooms.get(room) ?? {};
    const before = bots[bot] ?? { answered: 0, told: false };
    if (before.answered >= this.#most && before.told) return "ignore";
    const answers = before.answered < this.#most;
    const now = answers ? { ...before, answered: before.answered + 1 } : { ...before, told: true };
    this.#rooms.delete(room);
    this.#rooms.set(room, { ...bots, [bot]: now });
    const [oldest] = this.#rooms.keys();
    if (this.#rooms.size > MOST_ROOMS && oldest !== undefined) this.#rooms.delete(oldest);
    this.#store();
    return answers ? "answer" : "tell";
  }

  /** A failed write is not repeated: the next message writes again. */
  #store(): void {
    void this.#storage.set(KEY, Object.fromEntries(this.#rooms)).catch(() => {});
  }
}
