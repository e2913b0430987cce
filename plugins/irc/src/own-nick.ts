import type { ChannelClock } from "@patchbay/plugin-sdk/channel";

/** Milliseconds between two attempts to get back a nick that somebody else had. */
const RECLAIM_MS = 60_000;

export interface OwnNickParts {
  /** The nick of the settings. */
  nick: string;
  clock: ChannelClock;
  hasIt(): boolean;
  isRegistered(): boolean;
  write(...words: string[]): void;
}

/** The bot's nick, which another client may have: then a similar one is taken, and the right one as soon as it is free. */
export class OwnNick {
  readonly #parts: OwnNickParts;
  #tries = 0;
  #callOff = () => {};

  constructor(parts: OwnNickParts) {
    this.#parts = parts;
  }

  taken(): void {
    const { nick, write } = this.#parts;
    const suffix = "_".repeat(1 + (this.#tries % 4));
    this.#tries += 1;
    write("NICK", `${nick.slice(0, 30 - suffix.length)}${suffix}`);
    this.#again();
  }

  stop(): void {
    this.#callOff();
  }

  #again(): void {
    const { nick, clock, hasIt, isRegistered, write } = this.#parts;
    this.#callOff();
    this.#callOff = clock.after(RECLAIM_MS, () => {
      // Which nick it has is known only then.
      if (isRegistered()) {
        if (hasIt()) return;
        write("NICK", nick);
      }
      this.#again();
    });
  }
}
