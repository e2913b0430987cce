/** What is known of whoever has a nick now. */
export interface Entry {
  nick: string;
  userhost: string | null;
  /** Undefined: not known. */
  account: string | null | undefined;
  /** When the connection behind the nick began, as the server counts. */
  signon: string | null;
  bot: boolean;
  /** Rooms that the bot shares with them, so that it sees them go. */
  rooms: Set<string>;
  /** The name of the direct conversation with somebody without an account. */
  fleeting: string | null;
  /** The last message that is covered by an answer of the server about this nick. */
  covered: number;
  /** When the server was asked last, so that they were surely there then; in the clock's time. */
  sureAt: number;
}

/** Somebody of whom only the nick is known. */
export function unknownHolder(nick: string): Entry {
  return {
    nick,
    userhost: null,
    account: undefined,
    signon: null,
    bot: false,
    rooms: new Set(),
    fleeting: null,
    covered: 0,
    sureAt: Number.NEGATIVE_INFINITY,
  };
}
