import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { foldName } from "./names.ts";
import type { Whois } from "./whois.ts";

export interface PeopleParts {
  clock: ChannelClock;
  /** A nick as the server compares it. */
  fold(nick: string): string;
  /** Asks the server who has a nick now; null: nobody. */
  lookUp(nick: string): Promise<Whois | null>;
  /** Nicks that the server can be asked to watch (MONITOR); 0 where it cannot. */
  mostWatched(): number;
  watch(nick: string, on: boolean): void;
  /** The person of a conversation without an account is gone. */
  left(conversation: string): void;
  /** Somebody with an account was seen. */
  back(conversation: string): void;
  /** By account: the nick that was last used with it, kept from one connection to the next. */
  lastNicks: Map<string, string>;
}

/** A message as it came in. */
export interface Said {
  nick: string;
  /** `user@host`. */
  userhost: string;
  /** What the server says of the account with the message; undefined where it does not say that. */
  account: string | null | undefined;
  direct: boolean;
  /** It will be answered when the account is on a list: worth asking the server. */
  matters: boolean;
}

export interface Speaker {
  /** The account, else `nick!user@host`. */
  id: string;
  /** Whether the id is an account. */
  lasting: boolean;
  /** The name of the direct conversation. */
  conversation: string;
  bot: boolean;
}

interface Entry {
  nick: string;
  userhost: string | null;
  /** Undefined: not known. */
  account: string | null | undefined;
  /** When the connection behind the nick began, as the server counts. */
  signon: string | null;
  bot: boolean;
  /** Rooms that the bot shares with them, so that it sees them go. */
  rooms: Set<string>;
  /** `sure`: the server watches the nick, and it was this person's after that began. */
  watch: "no" | "asked" | "online" | "sure";
  /** The name of the direct conversation with somebody without an account. */
  fleeting: string | null;
  /** The last message that is covered by an answer of the server about this nick. */
  covered: number;
}

/** Most accounts whose last nick is kept. */
const MOST_LAST_NICKS = 1_000;
/** Milliseconds until somebody who is away is looked for again, where nothing tells of them sooner. */
const AWAY_MS = 60_000;

/** How an account names its direct conversation. */
export const conversationOf = (account: string) => foldName(account, "ascii");

/**
 * Who has which nick in this connection. A nick is worth nothing by itself: it can be another person's a moment later. What
 * is known of its holder counts for as long as the server would say that they leave (they are in a room with the bot,
 * or the server watches the nick); else it is asked anew each time.
 */
export class People {
  readonly #parts: PeopleParts;
  readonly #entries = new Map<string, Entry>();
  /** Nicks that the server watches, the oldest first. */
  readonly #watched = new Map<string, string>();
  /** Accounts that something waits for, by the nicks that they may come back with. */
  readonly #awaited = new Map<string, string>();
  #messages = 0;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** Marks the arrival of a message; to be given to `speaker`. */
  arrival(): number {
    this.#messages += 1;
    return this.#messages;
  }

  /** Who said this; null when they are gone already. */
  async speaker(said: Said, arrival: number): Promise<Speaker | null> {
    const entry = await this.#known(this.#heard(said), said, arrival);
    if (!entry) return null;
    const { account } = entry;
    const bot = entry.bot;
    if (account) return { id: account, lasting: true, conversation: conversationOf(account), bot };
    const id = `${entry.nick}!${said.userhost}`;
    // No other conversation ever has this name, so nothing that was said in it is told to anybody else.
    const name = () => `${id} ${this.#parts.clock.random().toString(36).slice(2, 8)}`;
    if (said.direct) entry.fleeting ??= name();
    return { id, lasting: false, conversation: entry.fleeting ?? id, bot };
  }

  /**
   * The nick that now belongs to a conversation, asked again before each line.
   *
   * @throws ChannelFailure `away`, or `nobody` when it will never be anybody's again
   */
  async reach(conversation: string): Promise<() => string> {
    const fleeting = [...this.#entries.values()].find((entry) => entry.fleeting === conversation);
    if (fleeting) {
      const there = isObserved(fleeting) ? fleeting : await this.#ask(fleeting);
      if (there?.fleeting === conversation)
        return this.#holder(there, (entry) => entry.fleeting === conversation);
    }
    if (conversation.includes("!")) throw nobody();
    const isTheirs = (entry: Entry) => !!entry.account && conversationOf(entry.account) === conversation;
    const known = [...this.#entries.values()].filter(isTheirs).reverse();
    for (const entry of known) {
      const there = isObserved(entry) ? entry : await this.#ask(entry);
      if (there && isTheirs(there)) return this.#holder(there, isTheirs);
    }
    const tried = new Set(known.map(({ nick }) => this.#parts.fold(nick)));
    for (const nick of [this.#parts.lastNicks.get(conversation) ?? conversation, conversation]) {
      if (tried.has(this.#parts.fold(nick)) || !isNick(nick)) continue;
      tried.add(this.#parts.fold(nick));
      const entry = this.#entries.get(this.#parts.fold(nick)) ?? this.#add(nick);
      this.#watch(entry);
      const there = await this.#ask(entry);
      if (there && isTheirs(there)) return this.#holder(there, isTheirs);
      this.#await(nick, conversation);
    }
    throw away(conversation);
  }

  /** Somebody came into a room, or was there already. */
  entered(room: string, nick: string, userhost: string | null, account: string | null | undefined): void {
    let entry = this.#entries.get(this.#parts.fold(nick));
    if (entry && !isObserved(entry)) {
      // Whether it is the same person as before is not known.
      this.#forget(entry);
      entry = undefined;
    }
    entry ??= this.#add(nick);
    entry.rooms.add(room);
    entry.userhost = userhost ?? entry.userhost;
    if (account !== undefined) this.#setAccount(entry, account);
  }

  parted(room: string, nick: string): void {
    const entry = this.#entries.get(this.#parts.fold(nick));
    if (!entry?.rooms.delete(room) || isObserved(entry)) return;
    if (entry.account) this.#leaveFleeting(entry);
    else this.#forget(entry);
  }

  /** The bot is not in a room any more. */
  roomGone(room: string): void {
    for (const { nick } of [...this.#entries.values()]) this.parted(room, nick);
  }

  quit(nick: string): void {
    const entry = this.#entries.get(this.#parts.fold(nick));
    if (entry) this.#forget(entry);
  }

  renamed(nick: string, next: string): void {
    const entry = this.#entries.get(this.#parts.fold(nick));
    const other = this.#entries.get(this.#parts.fold(next));
    if (other && other !== entry) this.#forget(other);
    if (!entry) return;
    this.#leaveFleeting(entry);
    this.#entries.delete(this.#parts.fold(nick));
    entry.nick = next;
    this.#entries.set(this.#parts.fold(next), entry);
    if (entry.account) this.#remember(entry.account, next);
    if (entry.watch === "no") return;
    entry.watch = "no";
    this.#unwatch(nick);
    this.#watch(entry);
  }

  accountSet(nick: string, account: string | null): void {
    const entry = this.#entries.get(this.#parts.fold(nick));
    if (entry) this.#setAccount(entry, account);
  }

  /** The server says of a watched nick that somebody has it. */
  online(nick: string): void {
    const key = this.#parts.fold(nick);
    const entry = this.#entries.get(key);
    if (entry?.watch === "asked") entry.watch = "online";
    const awaited = this.#awaited.get(key);
    if (awaited !== undefined) this.#parts.back(awaited);
  }

  /** … and that nobody has it. */
  offline(nick: string): void {
    const entry = this.#entries.get(this.#parts.fold(nick));
    if (entry && entry.rooms.size === 0) this.#forget(entry);
  }

  #holder(entry: Entry, isStill: (entry: Entry) => boolean): () => string {
    return () => {
      if (this.#isThere(entry) && isStill(entry)) return entry.nick;
      throw entry.account ? away(conversationOf(entry.account)) : nobody();
    };
  }

  /** The entry of a nick that something was heard from. */
  #heard({ nick, userhost }: Said): Entry {
    const entry = this.#entries.get(this.#parts.fold(nick));
    if (entry && entry.userhost !== null && entry.userhost !== userhost && !isObserved(entry))
      this.#forget(entry);
    const now = this.#entries.get(this.#parts.fold(nick)) ?? this.#add(nick);
    now.userhost = userhost;
    return now;
  }

  /** What must be known of who said this; null when they are gone. */
  async #known(entry: Entry, said: Said, arrival: number): Promise<Entry | null> {
    if (said.account !== undefined) this.#setAccount(entry, said.account);
    if (said.direct) this.#watch(entry);
    if (!this.#mustAsk(entry, said) || entry.covered >= arrival) return entry;
    const found = await this.#ask(entry);
    if (found) return found.userhost === said.userhost ? found : null;
    // While the server was asked, another question was answered, or they changed their nick.
    const now = this.#isThere(entry) ? entry : this.#entries.get(this.#parts.fold(said.nick));
    return now && now.userhost === said.userhost ? this.#known(now, said, arrival) : null;
  }

  #isThere(entry: Entry): boolean {
    return this.#entries.get(this.#parts.fold(entry.nick)) === entry;
  }

  #mustAsk(entry: Entry, said: Said): boolean {
    if (said.account) return false;
    // Without an account the conversation hangs on the connection behind the nick.
    if (!isObserved(entry)) return said.account === undefined || said.direct;
    if (said.account === null) return false;
    return entry.account === undefined || (entry.account === null && said.matters);
  }

  /** Asks the server about a nick. Null: it is not the same person's any more. */
  async #ask(entry: Entry): Promise<Entry | null> {
    const { nick } = entry;
    const covered = this.#messages;
    const wasOnline = entry.watch === "asked" || entry.watch === "online";
    const found = await this.#parts.lookUp(nick);
    // They may have left or changed their nick while the server was asked.
    if (this.#entries.get(this.#parts.fold(nick)) !== entry) return null;
    const another = found && entry.signon !== null && found.signon !== null && found.signon !== entry.signon;
    if (!found || another) this.#forget(entry);
    if (!found) return null;
    const now = another ? this.#add(nick) : entry;
    now.userhost = found.userhost;
    now.signon = found.signon;
    now.bot = found.bot;
    now.covered = covered;
    if (wasOnline && now.watch === "online") now.watch = "sure";
    this.#setAccount(now, found.account);
    return now;
  }

  #setAccount(entry: Entry, account: string | null): void {
    if (entry.account === account) return;
    entry.account = account;
    if (account === null) return;
    this.#leaveFleeting(entry);
    this.#remember(account, entry.nick);
    this.#parts.back(conversationOf(account));
  }

  #remember(account: string, nick: string): void {
    const { lastNicks } = this.#parts;
    lastNicks.delete(conversationOf(account));
    lastNicks.set(conversationOf(account), nick);
    const [oldest] = lastNicks.keys();
    if (lastNicks.size > MOST_LAST_NICKS && oldest !== undefined) lastNicks.delete(oldest);
  }

  #await(nick: string, conversation: string): void {
    if (this.#watched.has(this.#parts.fold(nick))) this.#awaited.set(this.#parts.fold(nick), conversation);
  }

  #add(nick: string): Entry {
    const entry: Entry = {
      nick,
      userhost: null,
      account: undefined,
      signon: null,
      bot: false,
      rooms: new Set(),
      watch: "no",
      fleeting: null,
      covered: 0,
    };
    this.#entries.set(this.#parts.fold(nick), entry);
    return entry;
  }

  #forget(entry: Entry): void {
    this.#entries.delete(this.#parts.fold(entry.nick));
    this.#leaveFleeting(entry);
    if (entry.account) this.#await(entry.nick, conversationOf(entry.account));
    else this.#unwatch(entry.nick);
  }

  #leaveFleeting(entry: Entry): void {
    const { fleeting } = entry;
    entry.fleeting = null;
    if (fleeting !== null) this.#parts.left(fleeting);
  }

  #watch(entry: Entry): void {
    if (entry.watch !== "no" || this.#parts.mostWatched() === 0) return;
    const key = this.#parts.fold(entry.nick);
    const [oldest] = this.#watched.values();
    if (this.#watched.size >= this.#parts.mostWatched() && oldest !== undefined) this.#unwatch(oldest);
    // One that is watched already is asked for again, so that the server says how it is now.
    if (this.#watched.has(key)) this.#parts.watch(entry.nick, false);
    this.#watched.set(key, entry.nick);
    this.#parts.watch(entry.nick, true);
    entry.watch = "asked";
  }

  #unwatch(nick: string): void {
    const key = this.#parts.fold(nick);
    if (!this.#watched.delete(key)) return;
    this.#awaited.delete(key);
    const entry = this.#entries.get(key);
    if (entry) entry.watch = "no";
    this.#parts.watch(nick, false);
  }
}

/** Whether the server would say that they leave. */
const isObserved = ({ rooms, watch }: Entry) => rooms.size > 0 || watch === "sure";
const isNick = (name: string) => /^[^\s!@:#&*?,.]{1,64}$/.test(name);
const nobody = () => new ChannelFailure("nobody", "The person whom it was for is gone.");
const away = (account: string) =>
  new ChannelFailure("away", `Nobody is here who is signed in as ${account}.`, { retryAfterMs: AWAY_MS });
