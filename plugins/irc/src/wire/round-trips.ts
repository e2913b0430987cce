import { type ChannelClock, ChannelFailure, within } from "@patchbay/plugin-sdk/channel";

/** How long a server may take to answer a PING that follows messages, in milliseconds. */
const CONFIRM_MS = 30_000;

/** Questions to the server that it answers when it has handled everything that was sent before them. */
export class RoundTrips {
  readonly #clock: ChannelClock;
  readonly #write: (...words: string[]) => void;
  readonly #pongs = new Map<string, PromiseWithResolvers<void>>();
  #under: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #tokens = 0;

  constructor(clock: ChannelClock, write: (...words: string[]) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  /** @throws ChannelFailure `offline` */
  async alone(): Promise<void> {
    this.#tokens += 1;
    const token = `patchbay-${this.#tokens}`;
    const answered = Promise.withResolvers<void>();
    answered.promise.catch(() => {});
    this.#pongs.set(token, answered);
    try {
      this.#write("PING", token);
      const late = () => new ChannelFailure("offline", "The server stopped answering.");
      await within(this.#clock, CONFIRM_MS, answered.promise, late);
    } finally {
      this.#pongs.delete(token);
    }
  }

  /** Everybody whose lines went out before it begins shares one. @throws ChannelFailure `offline` */
  shared(): Promise<void> {
    this.#next ??= (async () => {
      await this.#under?.catch(() => {});
      this.#next = null;
      this.#under = this.alone();
      return this.#under;
    })();
    return this.#next;
  }

  pong(token: string): void {
    this.#pongs.get(token)?.resolve();
  }

  /** The connection is gone. */
  end(reason: Error): void {
    for (const { reject } of this.#pongs.values()) reject(reason);
  }
}
