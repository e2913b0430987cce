import type { PluginStorage } from "@patchbay/plugin-sdk";
import type { ChannelClock } from "@patchbay/plugin-sdk/channel";

const KEY = "slack.threads";
/** Threads that are remembered; the one that was quiet the longest is forgotten first. */
const MOST = 200;
/** A thread in which nothing was said for so many milliseconds is over. */
const QUIET_MS = 24 * 60 * 60_000;

/**
 * The threads in which the agent takes part: it was addressed there, and since then nobody has addressed somebody else.
 * In those, people go on without a mention.
 */
export class Threads {
  readonly #storage: PluginStorage;
  readonly #clock: ChannelClock;
  /** Conversation → when something was said there last; milliseconds since 1970. */
  readonly #joined: Map<string, number>;

  static async open(storage: PluginStorage, clock: ChannelClock): Promise<Threads> {
    const stored = (await storage.get(KEY).catch(() => undefined)) as Record<string, number> | undefined;
    return new Threads(storage, clock, new Map(Object.entries(stored ?? {})));
  }

  private constructor(storage: PluginStorage, clock: ChannelClock, joined: Map<string, number>) {
    this.#storage = storage;
    this.#clock = clock;
    this.#joined = joined;
  }

  /** The agent was addressed there, or the talk with it went on. */
  join(conversation: string): void {
    this.#joined.delete(conversation);
    this.#joined.set(conversation, this.#clock.now());
    const [oldest] = this.#joined.keys();
    if (this.#joined.size > MOST && oldest !== undefined) this.#joined.delete(oldest);
    this.#store();
  }

  leave(conversation: string): void {
    if (this.#joined.delete(conversation)) this.#store();
  }

  has(conversation: string): boolean {
    const last = this.#joined.get(conversation);
    return last !== undefined && this.#clock.now() - last < QUIET_MS;
  }

  /** A failed write is not repeated: the next message writes again. */
  #store(): void {
    void this.#storage.set(KEY, Object.fromEntries(this.#joined)).catch(() => {});
  }
}
