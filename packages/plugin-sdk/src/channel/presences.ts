import type { PluginLogger, PluginStorage } from "../manifest.ts";

const KEY = "channel.fleeting";
/** Most conversations of this kind at a time; with a further one the oldest is over. */
const MOST = 500;

export interface PresencesParts {
  storage: PluginStorage;
  logger: PluginLogger;
  /** Removes everything that waits in a conversation, and stops what runs in it. Returns how much that was. */
  drop(conversation: string): number;
  /** Ends the conversation's session. */
  end(conversation: string): Promise<void>;
}

/**
 * Direct conversations with people of whom the platform knows nothing that cannot change hands. Each lives as long as the
 * person is there, and no longer than the connection in which they were seen. Which ones there are is stored, so that a
 * process that was killed leaves none behind.
 */
export class Presences {
  readonly #parts: PresencesParts;
  /** Each with a mark of its own, so that the same name later is somebody else's. */
  readonly #alive = new Map<string, symbol>();
  /** Sessions that are being ended; the next message waits for that. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #left: string[];

  static async open(parts: PresencesParts): Promise<Presences> {
    const stored = await parts.storage.get(KEY);
    return new Presences(parts, Array.isArray(stored) ? stored.map(String) : []);
  }

  private constructor(parts: PresencesParts, left: string[]) {
    this.#parts = parts;
    this.#left = left;
  }

  /** Ends what an earlier process has left. */
  start(): void {
    for (const conversation of this.#left.splice(0)) this.#over(conversation, true);
  }

  /**
   * A message came in. The first one begins the conversation: what was said there before, by whomever, is over.
   *
   * @returns says whether the person is still there, for as long as the message is on its way
   */
  async began(conversation: string): Promise<() => boolean> {
    let mark = this.#alive.get(conversation);
    if (mark === undefined) {
      const [oldest] = this.#alive.keys();
      if (this.#alive.size >= MOST && oldest !== undefined) this.left(oldest);
      mark = Symbol(conversation);
      this.#alive.set(conversation, mark);
      this.#end(conversation);
      await this.#store();
    }
    await this.#ending.get(conversation);
    return () => this.#alive.get(conversation) === mark;
  }

  left(conversation: string): void {
    const wasThere = this.#alive.delete(conversation);
    if (wasThere) void this.#store();
    this.#over(conversation, wasThere);
  }

  /** The connection is gone, and with it the knowledge of who is there. */
  allLeft(): void {
    for (const conversation of [...this.#alive.keys()]) this.left(conversation);
  }

  #over(conversation: string, wasThere: boolean): void {
    const dropped = this.#parts.drop(conversation);
    if (dropped > 0) {
      this.#parts.logger.warn(
        `The person of the conversation ${conversation} is gone; ${dropped} waiting messages of it were dropped.`,
      );
    }
    if (wasThere || dropped > 0) this.#end(conversation);
  }

  #end(conversation: string): void {
    const before = this.#ending.get(conversation) ?? Promise.resolve();
    const now = before
      .then(() => this.#parts.end(conversation))
      .catch((error: unknown) => {
        // Without the end of the old session nobody may be answered there.
        this.#alive.delete(conversation);
        const why = error instanceof Error ? error.message : String(error);
        this.#parts.logger.error(`The conversation ${conversation} could not be ended: ${why}`);
      })
      .finally(() => {
        if (this.#ending.get(conversation) === now) this.#ending.delete(conversation);
      });
    this.#ending.set(conversation, now);
  }

  async #store(): Promise<void> {
    try {
      await this.#parts.storage.set(KEY, [...this.#alive.keys()]);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#parts.logger.warn(`Who is there could not be stored: ${why}`);
    }
  }
}
