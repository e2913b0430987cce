import type { ChannelClock } from "./clock.ts";

/** Milliseconds until a room is tried again that did not let the bot in or removed it; each further time twice as long. */
const FIRST_MS = 10_000;
const LAST_MS = 10 * 60_000;
/** Milliseconds that the bot must stay in a room until the pauses begin anew. */
const SETTLED_MS = 10 * 60_000;
/** Milliseconds between two tries at least, also when something says that it may work now: anybody can send invitations. */
const LEAST_MS = 2_000;
/** Milliseconds that a room may take to answer: one that is being closed says nothing at all. */
const ANSWER_MS = 30_000;

export interface RoomsParts {
  /** Names of the rooms, spelled as the platform compares them. */
  rooms: readonly string[];
  clock: ChannelClock;
  join(room: string): void;
  /** Called with a sentence about the first room that has a problem; with null when no room has one. */
  trouble(sentence: string | null): void;
}

interface Standing {
  /** Why the bot is not in the room; null when it is, or was just asked in. */
  trouble: string | null;
  /** Times that the bot was refused or removed since it last stayed for long. */
  failures: number;
  triedAt: number;
  insideSince: number | null;
  callOff(): void;
}

/**
 * The rooms that the bot should be in, for platforms on which it must enter them after each connect. A room that does not
 * let it in, that does not answer, or that it was removed from, is tried again for as long as the channel runs, with
 * pauses that grow.
 */
export class Rooms {
  readonly #parts: RoomsParts;
  readonly #standings: ReadonlyMap<string, Standing>;
  #stopped = false;

  constructor(parts: RoomsParts) {
    this.#parts = parts;
    this.#standings = new Map(
      parts.rooms.map((room) => [
        room,
        { trouble: null, failures: 0, triedAt: Number.NEGATIVE_INFINITY, insideSince: null, callOff() {} },
      ]),
    );
  }

  joinAll(): void {
    for (const [room, standing] of this.#standings) this.#try(room, standing);
  }

  has(room: string): boolean {
    return this.#standings.has(room);
  }

  joined(room: string): void {
    const standing = this.#standings.get(room);
    if (!standing) return;
    standing.callOff();
    standing.insideSince ??= this.#parts.clock.now();
    if (standing.trouble === null) return;
    standing.trouble = null;
    this.#tell();
  }

  /** A room did not let the bot in. */
  refused(room: string, sentence: string): void {
    const standing = this.#standings.get(room);
    if (!standing) return;
    const now = this.#parts.clock.now();
    if (standing.insideSince !== null && now - standing.insideSince >= SETTLED_MS) standing.failures = 0;
    standing.insideSince = null;
    standing.trouble = sentence;
    const wait = Math.min(FIRST_MS * 2 ** standing.failures, LAST_MS);
    standing.failures = Math.min(standing.failures + 1, 30);
    this.#tryIn(wait * (0.9 + this.#parts.clock.random() / 5), room, standing);
    this.#tell();
  }

  /** The bot was removed from a room. */
  removed(room: string, sentence: string): void {
    this.refused(room, sentence);
  }

  /**
   * Something says that it may work now, for example an invitation: a room that the bot is kept out of is tried without
   * waiting for the end of the pause.
   *
   * @param room absent: all rooms
   */
  mayWork(room?: string): void {
    for (const [name, standing] of this.#standings) {
      if ((room !== undefined && name !== room) || standing.trouble === null) continue;
      this.#tryIn(LEAST_MS - (this.#parts.clock.now() - standing.triedAt), name, standing);
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const { callOff } of this.#standings.values()) callOff();
  }

  #tryIn(ms: number, room: string, standing: Standing): void {
    standing.callOff();
    if (ms <= 0) this.#try(room, standing);
    else standing.callOff = this.#parts.clock.after(ms, () => this.#try(room, standing));
  }

  #try(room: string, standing: Standing): void {
    standing.callOff();
    if (this.#stopped) return;
    standing.triedAt = this.#parts.clock.now();
    standing.insideSince = null;
    standing.callOff = this.#parts.clock.after(ANSWER_MS, () =>
      this.refused(room, `${room} does not answer.`),
    );
    this.#parts.join(room);
  }

  #tell(): void {
    const troubles = Array.from(this.#standings.values(), ({ trouble }) => trouble);
    this.#parts.trouble(troubles.find((trouble) => trouble !== null) ?? null);
  }
}
