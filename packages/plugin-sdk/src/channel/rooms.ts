import type { ChannelClock } from "./clock.ts";

/** Milliseconds until the bot enters a room again from which it was removed. */
const REJOIN_MS = 10_000;
/** When the bot is removed twice within this time (milliseconds), it does not enter the room again. */
const UNWELCOME_MS = 10 * 60_000;

export interface RoomsParts {
  /** Names of the rooms, spelled as the platform compares them. */
  rooms: readonly string[];
  clock: ChannelClock;
  join(room: string): void;
  /** Called with a sentence about the first room that has a problem; with null when no room has one. */
  trouble(sentence: string | null): void;
}

/** The rooms that the bot should be in, for platforms on which it must enter them after each connect. */
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

  /** A room did not let the bot in. */
  refused(room: string, sentence: string): void {
    if (!this.has(room)) return;
    this.#troubles.set(room, sentence);
    this.#tell();
  }

  /** The bot was removed from a room. It enters again once, after REJOIN_MS. */
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
