import type { ChannelClock } from "./clock.ts";

/** Time before a room is entered again from which the bot was removed, in milliseconds. */
const REJOIN_MS = 10_000;
/** Removed twice within this time, it stays out. */
const UNWELCOME_MS = 10 * 60_000;

export interface RoomsParts {
  /** Names that the platform takes for different when they differ. */
  rooms: readonly string[];
  clock: ChannelClock;
  join(room: string): void;
  /** What is wrong with the first room in which something is; null when nothing is. */
  trouble(sentence: string | null): void;
}

/** The rooms that the bot is to be in, on platforms where it has to enter them after each connect. */
export class Rooms {
  readonly #parts: RoomsParts;
  readonly #troubles = new Map<string, string>();
  readonly #removedAt = new Map<string, number>();
  readonly #callOffs = new Set<() => void>();

  constructor(parts: RoomsParts) {
    this.#parts = parts;
  }

  joinAll(): void {
    for (const room of this.#parts.rooms) this.#parts.join(room);
  }

  has(room: string): boolean {
    return this.#parts.rooms.includes(room);
  }

  joined(room: string): void {
    if (this.#troubles.delete(room)) this.#tell();
  }

  /** It did not let the bot in. */
  refused(room: string, sentence: string): void {
    if (!this.has(room)) return;
    this.#troubles.set(room, sentence);
    this.#tell();
  }

  /** The bot was thrown out. It comes back once, after a while. */
  removed(room: string, sentence: string): void {
    if (!this.has(room)) return;
    const now = this.#parts.clock.now();
    const before = this.#removedAt.get(room);
    this.#removedAt.set(room, now);
    this.refused(room, sentence);
    if (before !== undefined && now - before < UNWELCOME_MS) return;
    const callOff = this.#parts.clock.after(REJOIN_MS, () => {
      this.#callOffs.delete(callOff);
      this.#parts.join(room);
    });
    this.#callOffs.add(callOff);
  }

  stop(): void {
    for (const callOff of this.#callOffs) callOff();
    this.#callOffs.clear();
  }

  #tell(): void {
    const [first] = this.#troubles.values();
    this.#parts.trouble(first ?? null);
  }
}
