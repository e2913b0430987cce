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
