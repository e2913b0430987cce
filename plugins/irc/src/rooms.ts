import type { ChannelClock } from "@patchbay/plugin-sdk/channel";

/** Time before a channel is entered again from which the bot was thrown out, in milliseconds. */
const REJOIN_MS = 10_000;
/** Thrown out twice within this time, it stays out. */
const UNWELCOME_MS = 10 * 60_000;

const refusals: Record<string, string> = {
  "403": "there is no such channel",
  "405": "the bot is in too many channels",
  "471": "the channel is full",
  "473": "the bot must be invited",
  "474": "the bot is banned there",
  "475": "its key is missing or wrong",
  "476": "it is no name of a channel",
  "477": "only signed-in accounts may enter",
};

export interface RoomsParts {
  /** As in the settings: `#name` or `#name key`. */
  channels: readonly string[];
  clock: ChannelClock;
  fold(name: string): string;
  join(name: string, key: string | undefined): void;
  trouble(sentence: string | null): void;
}

/** The channels that the bot is to be in. */
export class Rooms {
  readonly #parts: RoomsParts;
  readonly #troubles = new Map<string, string>();
  readonly #kickedAt = new Map<string, number>();
  readonly #callOffs = new Set<() => void>();

  constructor(parts: RoomsParts) {
    this.#parts = parts;
  }

  joinAll(): void {
    for (const channel of this.#parts.channels) this.#join(channel);
  }

  joined(name: string): void {
    if (this.#troubles.delete(this.#parts.fold(name))) this.#tell();
  }

  /** A numeric that may be the answer to a JOIN. */
  refused(numeric: string, name: string, words: string): void {
    const why = refusals[numeric];
    if (why === undefined || this.#find(name) === undefined) return;
    this.#troubles.set(this.#parts.fold(name), `${name} cannot be entered: ${why} (${words}).`);
    this.#tell();
  }

  kicked(name: string, by: string, words: string): void {
    const key = this.#parts.fold(name);
    const channel = this.#find(name);
    if (channel === undefined) return;
    const now = this.#parts.clock.now();
    const before = this.#kickedAt.get(key);
    this.#kickedAt.set(key, now);
    this.#troubles.set(key, `${by} threw the bot out of ${name}: ${words}.`);
    this.#tell();
    if (before !== undefined && now - before < UNWELCOME_MS) return;
    const callOff = this.#parts.clock.after(REJOIN_MS, () => {
      this.#callOffs.delete(callOff);
      this.#join(channel);
    });
    this.#callOffs.add(callOff);
  }

  stop(): void {
    for (const callOff of this.#callOffs) callOff();
    this.#callOffs.clear();
  }

  #join(channel: string): void {
    const [name = "", key] = channel.split(/\s+/);
    this.#parts.join(name, key);
  }

  #find(name: string): string | undefined {
    const { channels, fold } = this.#parts;
    return channels.find((channel) => fold(channel.split(/\s+/)[0] ?? "") === fold(name));
  }

  #tell(): void {
    const [first] = this.#troubles.values();
    this.#parts.trouble(first ?? null);
  }
}
