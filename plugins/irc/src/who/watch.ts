export interface WatchParts {
  /** A nick as the server compares it. */
  fold(nick: string): string;
  /** Nicks that the server can be asked to watch (MONITOR); 0 where it cannot. */
  most(): number;
  tell(nick: string, on: boolean): void;
  /** Somebody has a nick again with which an account was awaited. */
  back(conversation: string): void;
}

/**
 * `asked`: the server was asked to watch the nick; `online`: it has said since that somebody has it; `sure`: and that
 * it is the one who is known. `again`: whoever has it now is not the one whom that was about.
 */
type Sight = "asked" | "online" | "sure" | "again";

/** The nicks that the server watches (MONITOR), which says then when their holders come and go. */
export class Watch {
  readonly #parts: WatchParts;
  /** By folded nick, the oldest first. */
  readonly #watched = new Map<string, { nick: string; sight: Sight }>();
  /** Accounts that something waits for, by the folded nicks that they may come back with. */
  readonly #awaited = new Map<string, string>();

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** From now on the server says what becomes of the one who has this nick. */
  begin(nick: string): void {
    const key = this.#parts.fold(nick);
    const before = this.#watched.get(key);
    if (this.#parts.most() === 0 || (before && before.sight !== "again")) return;
    const [oldest] = this.#watched.values();
    if (this.#watched.size >= this.#parts.most() && oldest) this.end(oldest.nick);
    // One that is watched already is asked for again, so that the server says how it is now.
    if (this.#watched.has(key)) this.#parts.tell(nick, false);
    this.#watched.set(key, { nick, sight: "asked" });
    this.#parts.tell(nick, true);
  }

  end(nick: string): void {
    const key = this.#parts.fold(nick);
    this.#awaited.delete(key);
    if (this.#watched.delete(key)) this.#parts.tell(nick, false);
  }

  /** It need not be watched any more, unless somebody is awaited there. */
  letGo(nick: string): void {
    if (!this.#awaited.has(this.#parts.fold(nick))) this.end(nick);
  }

  /** Whether the server was asked about the one who has the nick now. */
  isOn(nick: string): boolean {
    const sight = this.#sight(nick);
    return sight !== undefined && sight !== "again";
  }

  /** Whether the server would say that the one who is known with this nick leaves. */
  isSure(nick: string): boolean {
    return this.#sight(nick) === "sure";
  }

  /** To be asked before the server is asked who has the nick: its answer counts for those whom it had been watching. */
  hasBegun(nick: string): boolean {
    const sight = this.#sight(nick);
    return sight === "asked" || sight === "online";
  }

  /** Who has the nick is known, and was asked when the server watched it already. */
  known(nick: string): void {
    const watched = this.#watched.get(this.#parts.fold(nick));
    if (watched?.sight === "online") watched.sight = "sure";
  }

  /** Whoever was known with this nick has it no more. */
  lost(nick: string): void {
    const watched = this.#watched.get(this.#parts.fold(nick));
    if (watched) watched.sight = "again";
  }

  /** Somebody with this account may come back with the nick: it is still watched. */
  awaits(nick: string, conversation: string): void {
    const key = this.#parts.fold(nick);
    if (this.#watched.has(key)) this.#awaited.set(key, conversation);
  }

  /** The server says that somebody has the nick. */
  online(nick: string): void {
    const key = this.#parts.fold(nick);
    const watched = this.#watched.get(key);
    if (watched?.sight === "asked") watched.sight = "online";
    const awaited = this.#awaited.get(key);
    if (awaited !== undefined) this.#parts.back(awaited);
  }

  #sight(nick: string): Sight | undefined {
    return this.#watched.get(this.#parts.fold(nick))?.sight;
  }
}
