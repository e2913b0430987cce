import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import type { IrcLine } from "irc-framework";
import type { AboutServer } from "./wire/about-server.ts";

/** Milliseconds between two attempts to get back a nick that somebody else has. */
const RECLAIM_MS = 60_000;

export interface OwnNickParts {
  /** The nick of the settings. */
  nick: string;
  about: AboutServer;
  clock: ChannelClock;
  isRegistered(): boolean;
  write(...words: string[]): void;
}

/**
 * The bot's nick, which another client may have, or get in a netsplit: then the bot has another one, and takes its own as
 * soon as that is free.
 */
export class OwnNick {
  readonly #parts: OwnNickParts;
  #tries = 0;
  #callOff = () => {};

  constructor(parts: OwnNickParts) {
    this.#parts = parts;
  }

  /** The server does not give it to the bot, which is not registered yet. */
  taken(): void {
    const { nick, write } = this.#parts;
    const suffix = "_".repeat(1 + (this.#tries % 4));
    this.#tries += 1;
    write("NICK", `${nick.slice(0, 30 - suffix.length)}${suffix}`);
    this.#again();
  }

  line({ command, params, nick }: IrcLine): void {
    if (command !== "NICK" && command !== "QUIT") return;
    const { about } = this.#parts;
    const [next = ""] = params;
    const wanted = about.fold(this.#parts.nick);
    if (command === "NICK" && about.isMe(next)) {
      // Servers rename one of two who have the same nick after a netsplit.
      if (about.fold(next) === wanted) this.stop();
      else this.#again();
    } else if (about.fold(nick) === wanted) this.#claim();
  }

  stop(): void {
    this.#callOff();
  }

  #again(): void {
    this.stop();
    this.#callOff = this.#parts.clock.after(RECLAIM_MS, () => {
      this.#claim();
      // Which nick it has is known only when it is registered.
      if (!this.#parts.isRegistered() || !this.#parts.about.isMe(this.#parts.nick)) this.#again();
    });
  }

  #claim(): void {
    const { nick, about, isRegistered, write } = this.#parts;
    if (isRegistered() && !about.isMe(nick)) write("NICK", nick);
  }
}
