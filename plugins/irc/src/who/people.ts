import type { ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { away, nobody } from "../wire/failures.ts";
import { conversationOf, isNick } from "../wire/names.ts";
import type { Entry } from "./entry.ts";
import type { LastNicks } from "./last-nicks.ts";
import type { Nicks } from "./nicks.ts";
import type { Said, Speaker } from "./speaker.ts";
import type { Whois } from "./whois.ts";

export interface PeopleParts {
  nicks: Nicks;
  clock: ChannelClock;
  /** A nick as the server compares it. */
  fold(nick: string): string;
  /** Asks the server who has a nick now; null: nobody. */
  lookUp(nick: string): Promise<Whois | null>;
  /** Resolves when everything was read that the server has said until now. */
  caughtUp(): Promise<void>;
  lastNicks: LastNicks;
}

/** Milliseconds for which it is enough that somebody was surely there: lines of one answer follow each other. */
const SURE_MS = 1_000;

/**
 * Whose a message is, and with which nick somebody can be reached. A nick is worth nothing by itself: it can be another
 * person's a moment later. Where the server would not have said so, it is asked anew each time.
 */
export class People {
  readonly #parts: PeopleParts;
  readonly #nicks: Nicks;
  #messages = 0;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
    this.#nicks = parts.nicks;
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
    const fleeting = this.#nicks.all.find((entry) => entry.fleeting === conversation);
    if (fleeting) {
      const there = this.#nicks.isObserved(fleeting) ? fleeting : await this.#ask(fleeting);
      if (there?.fleeting === conversation)
        return this.#holder(there, (entry) => entry.fleeting === conversation, nobody);
    }
    if (conversation.includes("!")) throw nobody();
    const isTheirs = (entry: Entry) => !!entry.account && conversationOf(entry.account) === conversation;
    const lost = () => away(conversation);
    const known = this.#nicks.all.filter(isTheirs).reverse();
    for (const entry of known) {
      const there = this.#nicks.isObserved(entry) ? entry : await this.#ask(entry);
      if (there && isTheirs(there)) return this.#holder(there, isTheirs, lost);
    }
    const tried = new Set(known.map(({ nick }) => this.#parts.fold(nick)));
    for (const nick of [this.#parts.lastNicks.of(conversation) ?? conversation, conversation]) {
      if (tried.has(this.#parts.fold(nick)) || !isNick(nick)) continue;
      tried.add(this.#parts.fold(nick));
      const entry = this.#nicks.of(nick) ?? this.#nicks.add(nick);
      this.#nicks.watch.begin(entry.nick);
      const there = await this.#ask(entry);
      if (there && isTheirs(there)) return this.#holder(there, isTheirs, lost);
      this.#nicks.watch.awaits(nick, conversation);
    }
    throw lost();
  }

  #holder(
    entry: Entry,
    isStill: (entry: Entry) => boolean,
    lost: () => ChannelFailure,
  ): () => Promise<string> {
    const holds = () => this.#nicks.isThere(entry) && isStill(entry);
    return async () => {
      const now = this.#parts.clock.now();
      if (holds() && now - entry.sureAt > SURE_MS) {
        if (this.#nicks.isObserved(entry)) {
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
    const entry = this.#nicks.of(nick);
    if (entry && entry.userhost !== null && entry.userhost !== userhost && !this.#nicks.isObserved(entry))
      this.#nicks.forget(entry);
    const now = this.#nicks.of(nick) ?? this.#nicks.add(nick);
    now.userhost = userhost;
    return now;
  }

  /** What must be known of who said this; null when they are gone. */
  async #known(entry: Entry, said: Said, arrival: number): Promise<Entry | null> {
    if (said.account !== undefined) this.#nicks.setAccount(entry, said.account);
    if (said.direct) this.#nicks.watch.begin(entry.nick);
    if (!this.#mustAsk(entry, said) || entry.covered >= arrival) return entry;
    const found = await this.#ask(entry);
    if (found) return found.userhost === said.userhost ? found : null;
    // While the server was asked, another question was answered, or they changed their nick.
    const now = this.#nicks.isThere(entry) ? entry : this.#nicks.of(said.nick);
    return now && now.userhost === said.userhost ? this.#known(now, said, arrival) : null;
  }

  #mustAsk(entry: Entry, said: Said): boolean {
    if (said.account) return false;
    // Without an account the conversation hangs on the connection behind the nick.
    if (!this.#nicks.isObserved(entry)) return said.account === undefined || said.direct;
    if (said.account === null) return false;
    return entry.account === undefined || (entry.account === null && said.matters);
  }

  /** Asks the server about a nick. Null: it is not the same person's any more. */
  async #ask(entry: Entry): Promise<Entry | null> {
    const { nick } = entry;
    const covered = this.#messages;
    const sureAt = this.#parts.clock.now();
    const watched = this.#nicks.watch.hasBegun(nick);
    const found = await this.#parts.lookUp(nick);
    // They may have left or changed their nick while the server was asked.
    if (this.#nicks.of(nick) !== entry) return null;
    const another = found && entry.signon !== null && found.signon !== null && found.signon !== entry.signon;
    if (!found || another) this.#nicks.forget(entry);
    if (!found) return null;
    const now = another ? this.#nicks.add(nick) : entry;
    now.userhost = found.userhost;
    now.signon = found.signon;
    now.bot = found.bot;
    now.covered = covered;
    now.sureAt = sureAt;
    if (watched) this.#nicks.watch.known(nick);
    this.#nicks.setAccount(now, found.account);
    return now;
  }
}
