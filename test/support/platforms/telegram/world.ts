import type { Entity } from "./html.ts";

export interface TelegramUser {
  id: number;
  is_bot: boolean;
  first_name: string;
  username?: string;
}

export interface TelegramChat {
  id: number;
  type: "private" | "group" | "supergroup";
  title?: string;
  first_name?: string;
  username?: string;
  is_forum?: boolean;
}

export interface TelegramButton {
  text: string;
  callback_data?: string;
}

export interface TelegramMessage {
  message_id: number;
  date: number;
  chat: TelegramChat;
  from?: TelegramUser;
  message_thread_id?: number;
  is_topic_message?: boolean;
  text?: string;
  caption?: string;
  entities?: Entity[];
  caption_entities?: Entity[];
  reply_to_message?: TelegramMessage;
  reply_markup?: { inline_keyboard: TelegramButton[][] };
  edit_date?: number;
  [media: string]: unknown;
}

export interface TelegramFile {
  file_id: string;
  file_unique_id: string;
  file_size: number;
  file_path: string;
  name: string;
  type: string;
  bytes: Buffer;
  /** Milliseconds since 1970 after which its path is dead; absent: never asked for. */
  goodUntil?: number;
}

/** A chat with what was written in it. */
export class ChatRoom {
  readonly chat: TelegramChat;
  readonly messages = new Map<number, TelegramMessage>();
  readonly topics = new Set<number>();
  /** Users who are in it, or, in a private chat, who began it. */
  readonly members = new Set<number>();
  /** Bots that may not write here any more, and why. */
  readonly shut = new Map<number, string>();
  migratedTo: number | undefined;
  #last = 0;

  constructor(chat: TelegramChat) {
    this.chat = chat;
  }

  add(fields: Omit<TelegramMessage, "message_id" | "date" | "chat">, now: number): TelegramMessage {
    this.#last += 1;
    const message: TelegramMessage = {
      message_id: this.#last,
      date: Math.floor(now / 1000),
      chat: this.chat,
      ...fields,
    };
    this.messages.set(message.message_id, message);
    return message;
  }
}

/** Mentions, commands and links, as Telegram's own apps mark them. */
export function entitiesOf(text: string): Entity[] {
  const entities: Entity[] = [];
  for (const match of text.matchAll(
    /(?<=^|\s)\/[A-Za-z0-9_]{1,32}(?:@[A-Za-z0-9_]{5,32})?|@[A-Za-z0-9_]{5,32}/g,
  )) {
    const type = match[0].startsWith("/") ? "bot_command" : "mention";
    entities.push({ type, offset: match.index, length: match[0].length });
  }
  return entities;
}

/** The people, chats and files of the service. */
export class TelegramWorld {
  readonly rooms = new Map<number, ChatRoom>();
  readonly files = new Map<string, TelegramFile>();
  /** Seconds by which the service's clock is off. */
  skewSeconds = 0;
  #files = 0;

  now(): number {
    return Date.now() + this.skewSeconds * 1000;
  }

  room(chat: TelegramChat): ChatRoom {
    let room = this.rooms.get(chat.id);
    if (!room) {
      room = new ChatRoom(chat);
      this.rooms.set(chat.id, room);
    }
    return room;
  }

  store(name: string, type: string, bytes: Buffer): TelegramFile {
    this.#files += 1;
    const id = String(this.#files).padStart(4, "0");
    const file: TelegramFile = {
      file_id: `AgACAgIAAxk${id}`,
      file_unique_id: `AQAD${id}`,
      file_size: bytes.length,
      file_path: `documents/file_${this.#files}${/\.[a-z0-9]+$/i.exec(name)?.[0] ?? ""}`,
      name,
      type,
      bytes,
    };
    this.files.set(file.file_id, file);
    return file;
  }

  /** The same place under another id, as when a group becomes a supergroup. */
  migrate(from: ChatRoom, to: TelegramChat): ChatRoom {
    const room = this.room(to);
    for (const member of from.members) room.members.add(member);
    from.migratedTo = to.id;
    return room;
  }
}
