import type { Client, IrcLine } from "irc-framework";
import { foldName } from "./names.ts";

/** Who the bot is on this network, and how the network compares names. */
export interface Identity {
  nick: string;
  casemapping: unknown;
  /** First characters of channel names. */
  channelTypes: readonly string[];
  /** Messages of people who are signed in carry their account. */
  accountTags: boolean;
}

/** What the server has said of itself in this connection. */
export class AboutServer {
  readonly #client: Client;
  /** What it calls its software (004). */
  #software = "";
  /**
   * The bot's nick. irc-framework keeps one, too, but not those that begin with a digit, which servers give to one of two
   * who have the same nick after a netsplit; it then takes the other one for the bot.
   */
  #nick = "";

  constructor(client: Client) {
    this.#client = client;
  }

  /** To be given each line before anybody else. */
  line({ command, params, nick }: IrcLine): void {
    const [first = "", , third = ""] = params;
    if (command === "001" || (command === "NICK" && this.isMe(nick))) this.#nick = first;
    else if (command === "004") this.#software = third;
  }

  get software(): string {
    return this.#software;
  }

  get identity(): Identity {
    const types = this.#option("CHANTYPES");
    return {
      nick: this.#nick,
      casemapping: this.#option("CASEMAPPING") ?? "rfc1459",
      channelTypes: Array.isArray(types) ? types.map(String) : ["#", "&"],
      accountTags: this.can("account-tag"),
    };
  }

  /** The name of the network, or null. */
  get network(): string | null {
    return this.#option("NETWORK") ? this.#client.network.name : null;
  }

  /** Nicks that it can be asked to watch (MONITOR); 0 where it cannot. */
  get mostWatched(): number {
    return Number(this.#option("MONITOR")) || 0;
  }

  /** Marks before a nick in lists of a room's people: `@+`. */
  get prefixes(): string {
    const list = this.#option("PREFIX");
    return Array.isArray(list) ? list.map((one: { symbol?: unknown }) => String(one.symbol)).join("") : "@+";
  }

  /** The letter of the mode that marks a bot; null where there is none. */
  get botMode(): string | null {
    const mode = this.#option("BOT");
    if (typeof mode === "string" && /^\w$/.test(mode)) return mode;
    return /^ngircd/i.test(this.#software) ? "B" : null;
  }

  /** Whether a capability was agreed on. */
  can(capability: string): boolean {
    return this.#client.network.cap.isEnabled(capability);
  }

  fold(name: string): string {
    return foldName(name, this.identity.casemapping);
  }

  isChannel(name: string): boolean {
    return this.identity.channelTypes.includes(name.charAt(0));
  }

  isMe(name: string): boolean {
    return this.fold(name) === this.fold(this.#nick);
  }

  #option(name: string): unknown {
    return this.#client.network.options[name];
  }
}
