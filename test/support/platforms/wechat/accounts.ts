import { randomBytes } from "node:crypto";

/** An answer of the bot, as the person's phone shows it. */
export interface Shown {
  to: string;
  /** The service's id of the message. */
  id: string;
  text?: string;
  file?: { name: string; bytes: Buffer; kind: "image" | "video" | "file" };
}

export interface BotAccount {
  botId: string;
  ownerId: string;
  token: string;
  /** The token is stale: every call is answered with -14. */
  stale: boolean;
  /** Everything that people wrote to the bot, as it goes over the wire; a cursor is a place in it. */
  readonly inbox: string[];
  /** The context tokens of each person's messages, the newest last: all of them are taken back. */
  readonly contexts: Map<string, string[]>;
  readonly shown: Shown[];
  readonly tickets: Map<string, string>;
  /** When the bot last said that it was typing to somebody, and that it no longer is. */
  readonly typing: { to: string; on: boolean }[];
}

export function newAccount(botId: string, ownerId: string): BotAccount {
  return {
    botId,
    ownerId,
    token: randomBytes(12).toString("hex"),
    stale: false,
    inbox: [],
    contexts: new Map(),
    shown: [],
    tickets: new Map(),
    typing: [],
  };
}

/** Larger than a JavaScript number can hold exactly, as the real service's ids are. */
let ids = 2n ** 62n;
export const nextId = () => {
  ids += 1n;
  return ids;
};

/** A message of a person, as JSON with its ids as bare digits. */
export function messageJson(given: {
  from: string;
  to: string;
  context: string;
  items: object[];
  id?: bigint;
  type?: number;
  state?: number;
  group?: string;
}): string {
  const id = given.id ?? nextId();
  return JSON.stringify({
    seq: 1,
    message_id: "#id#",
    client_id: randomBytes(6).toString("hex"),
    from_user_id: given.from,
    to_user_id: given.to,
    create_time_ms: Date.now(),
    session_id: "s",
    ...(given.group !== undefined && { group_id: given.group }),
    message_type: given.type ?? 1,
    message_state: given.state ?? 2,
    context_token: given.context,
    item_list: given.items.map((item) => ({ ...item, msg_id: "#id#" })),
  }).replaceAll('"#id#"', String(id));
}

export const textItem = (text: string) => ({ type: 1, text_item: { text } });
