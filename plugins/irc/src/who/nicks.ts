import { conversationOf } from "../wire/names.ts";
import { type Entry, unknownHolder } from "./entry.ts";
import type { LastNicks } from "./last-nicks.ts";
import { Watch, type WatchParts } from "./watch.ts";

export interface NicksParts extends WatchParts {
  /** The person of a conversation without an account is gone. */
  left(conversation: string): void;
  lastNicks: LastNicks;
}

/**
 * Who has which nick in this connection, as the server tells it: who enters rooms, goes, changes the nick or the account.
 * What is known of a holder counts for as long as the server would say that they leave (they are in a room with the bot, or
 * the server watches the nick).
 */
export class Nicks {
  readonly watch: Watch;
  readonly #parts: NicksParts;
  /** By folded nick. */
  readonly #entries = new Map<string, Entry>();

  constructor(parts: NicksParts) {
    this.#parts = parts;
    this.watch = new Watch(parts);
  }

  get all(): Entry[] {
    return [...this.#entries.values()];
  }

  of(nick: string): Entry | undefined {
    return this.#entries.get(this.#parts.fold(nick));
  }

  isThere(entry: Entry): boolean {
    return this.of(entry.nick) === entry;
  }

  /** Whether the server would say that they leave. */
  isObserved({ nick, rooms }: Entry): boolean {
    return rooms.size > 0 || this.watch.isSure(nick);
  }

  add(nick: string): Entry {
    const entry = unknownHolder(nick);
    this.#entries.set(this.#parts.fold(nick), entry);
    return entry;
  }

  forget(entry: Entry): void {
    this.#entries.delete(this.#parts.fold(entry.nick));
    this.#leaveFleeting(entry);
    this.watch.lost(entry.nick);
    if (entry.account) this.watch.awaits(entry.nick, conversationOf(entry.account));
    else this.watch.letGo(entry.nick);
  }

  setAccount(entry: Entry, account: string | null): void {
    if (entry.account === account) return;
    entry.account = account;
    if (account === null) return;
    this.#leaveFleeting(entry);
    this.#parts.lastNicks.remember(conversationOf(account), entry.nick);
    this.#parts.back(conversationOf(account));
  }

  /** Somebody came into a room, or was there already. */
  entered(room: string, nick: string, userhost: string | null, account: string | null | undefined): void {
    let entry = this.of(nick);
    if (entry && !this.isObserved(entry)) {
      // Whether it is the same person as before is not known.
      this.forget(entry);
      entry = undefined;
    }
    entry ??= this.add(nick);
    entry.rooms.add(room);
    entry.userhost = userhost ?? entry.userhost;
    if (account !== undefined) this.setAccount(entry, account);
  }

  parted(room: string, nick: string): void {
    const entry = this.of(nick);
    if (!entry?.rooms.delete(room) || this.isObserved(entry)) return;
    if (entry.account) this.#leaveFleeting(entry);
    else this.forget(entry);
  }

  /** The bot is not in a room any more. */
  roomGone(room: string): void {
    for (const { nick } of this.all) this.parted(room, nick);
  }

  quit(nick: string): void {
    const entry = this.of(nick);
    if (entry) this.forget(entry);
  }

  renamed(nick: string, next: string): void {
    const entry = this.of(nick);
    const other = this.of(next);
    if (other && other !== entry) this.forget(other);
    if (!entry) return;
    this.#leaveFleeting(entry);
    this.#entries.delete(this.#parts.fold(nick));
    entry.nick = next;
    this.#entries.set(this.#parts.fold(next), entry);
    if (entry.account) this.#parts.lastNicks.remember(conversationOf(entry.account), next);
    if (!this.watch.isOn(nick)) return;
    this.watch.lost(nick);
    this.watch.letGo(nick);
    this.watch.begin(next);
  }

  accountSet(nick: string, account: string | null): void {
    const entry = this.of(nick);
    if (entry) this.setAccount(entry, account);
  }

  /** The server says of a watched nick that somebody has it. */
  online(nick: string): void {
    this.watch.online(nick);
  }

  /** … and that nobody has it. */
  offline(nick: string): void {
    const entry = this.of(nick);
    if (entry && entry.rooms.size === 0) this.forget(entry);
  }

  #leaveFleeting(entry: Entry): void {
    const { fleeting } = entry;
    entry.fleeting = null;
    if (fleeting !== null) this.#parts.left(fleeting);
  }
}
