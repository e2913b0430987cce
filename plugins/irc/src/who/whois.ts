import { type ChannelClock, ChannelFailure, within } from "@patchbay/plugin-sdk/channel";
import type { IrcLine } from "irc-framework";

/** What a server says of a nick. */
export interface Whois {
  /** `user@host`. */
  userhost: string;
  account: string | null;
  /** When the connection began, in seconds as the server counts; null where it does not say. */
  signon: string | null;
  bot: boolean;
}

/** Milliseconds that a server may take to answer. */
const ANSWER_MS = 30_000;
/** Milliseconds until it is asked again after it said that it is busy. */
const BUSY_MS = 3_000;

interface Pending {
  answer: PromiseWithResolvers<Whois | null>;
  found: Whois | null;
}

/** Asks the server about nicks, one question a nick at a time. */
export class WhoisDesk {
  readonly #pending = new Map<string, Pending>();
  readonly #clock: ChannelClock;
  readonly #fold: (nick: string) => string;
  readonly #write: (...words: string[]) => void;

  constructor(clock: ChannelClock, fold: (nick: string) => string, write: (...words: string[]) => void) {
    this.#clock = clock;
    this.#fold = fold;
    this.#write = write;
  }

  /** Null: nobody has the nick. @throws ChannelFailure `offline` */
  async ask(nick: string): Promise<Whois | null> {
    const key = this.#fold(nick);
    // What was asked before may have been answered before the present holder had the nick.
    for (let other = this.#pending.get(key); other; other = this.#pending.get(key))
      await other.answer.promise;
    const answer = Promise.withResolvers<Whois | null>();
    answer.promise.catch(() => {});
    this.#pending.set(key, { answer, found: null });
    try {
      this.#write("WHOIS", nick);
      const late = () => new ChannelFailure("offline", "The server stopped answering.");
      return await within(this.#clock, ANSWER_MS, answer.promise, late);
    } finally {
      this.#pending.delete(key);
      answer.resolve(null);
    }
  }

  /** The connection is gone. */
  end(reason: Error): void {
    for (const { answer } of this.#pending.values()) answer.reject(reason);
  }

  line({ command, params }: IrcLine): void {
    const [, nick = "", second = "", third = ""] = params;
    if (command === "263" && /^WHOIS$/i.test(nick)) {
      this.#clock.after(BUSY_MS, () => {
        for (const key of this.#pending.keys()) this.#write("WHOIS", key);
      });
      return;
    }
    const pending = this.#pending.get(this.#fold(nick));
    if (!pending) return;
    switch (command) {
      case "311":
        pending.found = { userhost: `${second}@${third}`, account: null, signon: null, bot: false };
        return;
      case "330":
        if (pending.found) pending.found.account = second;
        return;
      case "335":
        if (pending.found) pending.found.bot = true;
        return;
      case "317":
        if (pending.found && /^\d+$/.test(third)) pending.found.signon = third;
        return;
      case "318":
        pending.answer.resolve(pending.found);
        return;
    }
  }
}
