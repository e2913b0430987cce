import type { ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { away, nobody } from "../wire/failures.ts";
import { conversationOf, isNick } from "../wire/names.ts";
import { type Entry, unknownHolder } from "./entry.ts";
import type { LastNicks } from "./last-nicks.ts";
import type { Said, Speaker } from "./speaker.ts";
import { Watch } from "./watch.ts";
import type { Whois } from "./whois.ts";

export interface PeopleParts {
  clock: ChannelClock;
  /** A nick as the server compares it. */
  fold(nick: string): string;
  /** Asks the server who has a nick now; null: nobody. */
  lookUp(nick: string): Promise<Whois | null>;
  /** Resolves when everything was read that the server has said until now. */
  caughtUp(): Promise<void>;
  /** Nicks that the server can be asked to watch (MONITOR); 0 where it cannot. */
  mostWatched(): number;
  watch(nick: string, on: boolean): void;
  /** The person of a conversation without an account is gone. */
  left(conversation: string): void;
  /** Somebody with an account was seen. */
  back(conversation: string): void;
  lastNicks: LastNicks;
}

/** Milliseconds for which it is enough that somebody was surely there: lines of one answer follow each other. */
const SURE_MS = 1_000;

/**
 * Who has which nick in this connection. A nick is worth nothing by itself: it can be another person's a moment later. What
 * is known of its holder counts for as long as the server would say that they leave (they are in a room with the bot,
 * or the server watches the nick); else it is asked anew each time.
 */
export class People {
  readonly #parts: PeopleParts;
  readonly #entries = new Map<string, Entry>();
  readonly #watch: Watch;
  #messages = 0;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
    const { fold, mostWatched, watch, back } = parts;
    this.#watch = new Watch({ fold, most: mostWatched, tell: watch, back });
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
   * Finds whom a conversation belongs to. What it resolves with is to be asked for the nick right before each line: it makes
   * sure that they still have it. What was known before may be old, because lines wait for their turn, and because
   * what the server says is read late when the machine is busy or slept.
   *
   * @throws ChannelFailure `away`, or `nobody` when it will never be anybody's again; so does the function
   */
  async reach(conversation: string): Promise<() => Promise<string>> {
    const fleeting = [...this.#entries.values()].find((entry) => entry.fleeting === conversation);
    if (fleeting) {
      const there = this.#isObserved(fleeting) ? fleeting : await this.#ask(fleeting);
      if (there?.fleeting === conversation)
        return this.#holder(there, (entry) => entry.fleeting === conversation, nobody);
    }
    if (conversation.includes("!")) throw nobody();
    const isTheirs = (entry: Entry) => !!entry.account && conversationOf(entry.account) === conversation;
    const lost = () => away(conversation);
    const known = [...this.#entries.values()].filter(isTheirs).reverse();
    for (const entry of known) {
      const there = this.#isObserved(entry) ? entry : await this.#ask(entry);
      if (there && isTheirs(there)) return this.#holder(there, isTheirs, lost);
    }
    const tried = new Set(known.map(({ nick }) => this.#parts.fold(nick)));
    for (const nick of [this.#parts.lastNicks.of(conversation) ?? conversation, conversation]) {
      if (tried.has(this.#parts.fold(nick)) || !isNick(nick)) continue;
      tried.add(this.#parts.fold(nick));
      const entry = this.#entryOf(nick) ?? this.#add(nick);
      this.#watch.begin(entry.nick);
      const there = await this.#ask(entry);
      if (there && isTheirs(there)) return this.#holder(there, isTheirs, lost);
      this.#watch.awaits(nick, conversation);
    }
    throw lost();
  }

  /** Somebody came into a room, or was there already. */
  entered(room: string, nick: string, userhost: string | null, account: string | null | undefined): void {
    let entry = this.#entryOf(nick);
    if (entry && !this.#isObserved(entry)) {
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
    const entry = this.#entryOf(nick);
    if (!entry?.rooms.delete(room) || this.#isObserved(entry)) return;
    if (entry.account) this.#leaveFleeting(entry);
    else this.#forget(entry);
  }

  /** The bot is not in a room any more. */
  roomGone(room: string): void {
    for (const { nick } of [...this.#entries.values()]) this.parted(room, nick);
  }

  quit(nick: string): void {
    const entry = this.#entryOf(nick);
    if (entry) this.#forget(entry);
  }

  renamed(nick: string, next: string): void {
    const entry = this.#entryOf(nick);
    const other = this.#entryOf(next);
    if (other && other !== entry) this.#forget(other);
    if (!entry) return;
    this.#leaveFleeting(entry);
    this.#entries.delete(this.#parts.fold(nick));
    entry.nick = next;
    this.#entries.set(this.#parts.fold(next), entry);
    if (entry.account) this.#parts.lastNicks.remember(conversationOf(entry.account), next);
    if (!this.#watch.isOn(nick)) return;
    this.#watch.lost(nick);
    this.#watch.letGo(nick);
    this.#watch.begin(next);
  }

  accountSet(nick: string, account: string | null): void {
    const entry = this.#entryOf(nick);
    if (entry) this.#setAccount(entry, account);
  }

  /** The server says of a watched nick that somebody has it. */
  online(nick: string): void {
    this.#watch.online(nick);
  }

  /** … and that nobody has it. */
  offline(nick: string): void {
    const entry = this.#entryOf(nick);
    if (entry && entry.rooms.size === 0) this.#forget(entry);
  }

  #holder(
    entry: Entry,
    isStill: (entry: Entry) => boolean,
    lost: () => ChannelFailure,
  ): () => Promise<string> {
    const holds = () => this.#isThere(entry) && isStill(entry);
    return async () => {
      const now = this.#parts.clock.now();
      if (holds() && now - entry.sureAt > SURE_MS) {
        if (this.#isObserved(entry)) {
          await this.#parts.caughtUp();
          entry.sureAt = now;
        } else await this.#ask(entry);
      }
      if (holds()) return entry.nick;
      throw lost();
    };
  }

  /** The entry of a nick that something was heard from. */
  #heard({ nick, userhost }: Said): Entry {
    const entry = this.#entryOf(nick);
    if (entry && entry.userhost !== null && entry.userhost !== userhost && !this.#isObserved(entry))
      this.#forget(entry);
    const now = this.#entryOf(nick) ?? this.#add(nick);
    now.userhost = userhost;
    return now;
  }

  /** What must be known of who said this; null when they are gone. */
  async #known(entry: Entry, said: Said, arrival: number): Promise<Entry | null> {
    if (said.account !== undefined) this.#setAccount(entry, said.account);
    if (said.direct) this.#watch.begin(entry.nick);
    if (!this.#mustAsk(entry, said) || entry.covered >= arrival) return entry;
    const found = await this.#ask(entry);
    if (found) return found.userhost === said.userhost ? found : null;
    // While the server was asked, another question was answered, or they changed their nick.
    const now = this.#isThere(entry) ? entry : this.#entryOf(said.nick);
    return now && now.userhost === said.userhost ? this.#known(now, said, arrival) : null;
  }

  #entryOf(nick: string): Entry | undefined {
    return this.#entries.get(this.#parts.fold(nick));
  }

  #isThere(entry: Entry): boolean {
    return this.#entryOf(entry.nick) === entry;
  }

  #mustAsk(entry: Entry, said: Said): boolean {
    if (said.account) return false;
    // Without an account the conversation hangs on the connection behind the nick.
    if (!this.#isObserved(entry)) return said.account === undefined || said.direct;
    if (said.account === null) return false;
    return entry.account === undefined || (entry.account === null && said.matters);
  }

  /** Asks the server about a nick. Null: it is not the same person's any more. */
  async #ask(entry: Entry): Promise<Entry | null> {
    const { nick } = entry;
    const covered = this.#messages;
    const sureAt = this.#parts.clock.now();
    const watched = this.#watch.hasBegun(nick);
    const found = await this.#parts.lookUp(nick);
    // They may have left or changed their nick while the server was asked.
    if (this.#entryOf(nick) !== entry) return null;
    const another = found && entry.signon !== null && found.signon !== null && found.signon !== entry.signon;
    if (!found || another) this.#forget(entry);
    if (!found) return null;
    const now = another ? this.#add(nick) : entry;
    now.userhost = found.userhost;
    now.signon = found.signon;
    now.bot = found.bot;
    now.covered = covered;
    now.sureAt = sureAt;
    if (watched) this.#watch.known(nick);
    this.#setAccount(now, found.account);
    return now;
  }

  #setAccount(entry: Entry, account: string | null): void {
    if (entry.account === account) return;
    entry.account = account;
    if (account === null) return;
    this.#leaveFleeting(entry);
    this.#parts.lastNicks.remember(conversationOf(account), entry.nick);
    this.#parts.back(conversationOf(account));
  }

  #add(nick: string): Entry {
    const entry = unknownHolder(nick);
    this.#entries.set(this.#parts.fold(nick), entry);
    return entry;
  }

  #forget(entry: Entry): void {
    this.#entries.delete(this.#parts.fold(entry.nick));
    this.#leaveFleeting(entry);
    this.#watch.lost(entry.nick);
    if (entry.account) this.#watch.awaits(entry.nick, conversationOf(entry.account));
    else this.#watch.letGo(entry.nick);
  }

  #leaveFleeting(entry: Entry): void {
    const { fleeting } = entry;
    entry.fleeting = null;
    if (fleeting !== null) this.#parts.left(fleeting);
  }

  /** Whether the server would say that they leave. */
  #isObserved({ nick, rooms }: Entry): boolean {
    return rooms.size > 0 || this.#watch.isSure(nick);
  }
}
