import type { BotAccount } from "./bot-account.ts";
import type { TelegramServer } from "./server.ts";
import {
  type ChatRoom,
  entitiesOf,
  type TelegramChat,
  type TelegramMessage,
  type TelegramUser,
} from "./world.ts";

interface Said {
  /** Where; absent: the private chat with the bot. */
  room?: ChatRoom;
  topic?: number;
  replyTo?: number;
  file?: {
    name: string;
    type: string;
    bytes: Buffer;
    as?: "document" | "photo" | "voice" | "video" | "video_note";
    /** Seconds. */
    duration?: number;
  };
  album?: string;
  /** Who wrote it first, as the service tells it. */
  forwarded?: object;
}

/** A person who uses Telegram. */
export class TelegramPerson {
  readonly user: TelegramUser;
  readonly #server: TelegramServer;
  #callbacks = 0;

  constructor(
    server: TelegramServer,
    given: { id: number; name?: string; username?: string; is_bot?: boolean },
  ) {
    this.#server = server;
    this.user = {
      id: given.id,
      is_bot: given.is_bot === true,
      first_name: given.name ?? `Person ${given.id}`,
      ...(given.username !== undefined && { username: given.username }),
    };
  }

  /** The private chat with the bot. */
  get direct(): ChatRoom {
    const { id, first_name, username } = this.user;
    return this.#server.world.room({
      id,
      type: "private",
      first_name,
      ...(username !== undefined && { username }),
    });
  }

  /** Makes a group with this person and a bot in it. */
  group(bot: BotAccount, chat: Partial<TelegramChat> & { id: number }, topics: number[] = []): ChatRoom {
    const room = this.#server.world.room({ type: "supergroup", title: "Team", ...chat });
    room.members.add(this.user.id).add(bot.user.id);
    for (const topic of topics) room.topics.add(topic);
    return room;
  }

  /** Adds a bot to a new group of this person. */
  adds(bot: BotAccount, chat: { id: number; title: string }): ChatRoom {
    const room = this.group(bot, chat);
    bot.push("my_chat_member", {
      chat: room.chat,
      from: this.user,
      date: Math.floor(this.#server.world.now() / 1000),
      old_chat_member: { user: bot.user, status: "left" },
      new_chat_member: { user: bot.user, status: "member" },
    });
    return room;
  }

  /** The group goes on as a supergroup, under another id: a message in each of them says so. */
  upgrades(bot: BotAccount, room: ChatRoom, to: number): ChatRoom {
    const { title = "Team" } = room.chat;
    const next = this.group(bot, { id: to, title });
    const now = this.#server.world.now();
    room.migratedTo = to;
    bot.push("message", room.add({ from: this.user, migrate_to_chat_id: to }, now));
    bot.push("message", next.add({ from: this.user, migrate_from_chat_id: room.chat.id }, now));
    return next;
  }

  says(bot: BotAccount, text: string, more: Said = {}): TelegramMessage {
    const room = more.room ?? this.direct;
    room.members.add(this.user.id);
    const original = more.replyTo === undefined ? undefined : room.messages.get(more.replyTo);
    const entities = entitiesOf(text);
    const message = room.add(
      {
        from: this.user,
        ...(more.topic !== undefined && { message_thread_id: more.topic, is_topic_message: true }),
        ...(original && { reply_to_message: original }),
        ...(more.forwarded && { forward_origin: more.forwarded }),
        ...(more.album !== undefined && { media_group_id: more.album }),
        ...(more.file
          ? { ...this.#media(more.file), ...(text !== "" && { caption: text, caption_entities: entities }) }
          : { text, ...(entities.length > 0 && { entities }) }),
      },
      this.#server.world.now(),
    );
    if (bot.hears(message)) bot.push("message", message);
    return message;
  }

  edits(bot: BotAccount, message: TelegramMessage, text: string): void {
    Object.assign(message, { text, edit_date: Math.floor(this.#server.world.now() / 1000) });
    bot.push("edited_message", message);
  }

  reacts(bot: BotAccount, message: TelegramMessage, emoji: string): void {
    const { chat, message_id, date } = message;
    bot.push("message_reaction", {
      chat,
      message_id,
      date,
      user: this.user,
      old_reaction: [],
      new_reaction: [{ type: "emoji", emoji }],
    });
  }

  /** Presses a button by its text. Returns the id of the press. */
  presses(bot: BotAccount, message: TelegramMessage, text: string, late = false): string {
    const button = message.reply_markup?.inline_keyboard.flat().find((one) => one.text === text);
    if (!button) throw new Error(`There is no button "${text}" on "${message.text}".`);
    this.#callbacks += 1;
    const id = `${this.user.id}00${this.#callbacks}`;
    bot.callbacks.set(id, { answered: false, late });
    bot.push("callback_query", {
      id,
      from: this.user,
      message,
      data: button.callback_data,
      chat_instance: String(message.chat.id),
    });
    return id;
  }

  /** Blocks the bot: it can write no more here, and hears of it. */
  blocks(bot: BotAccount): void {
    this.direct.shut.set(bot.user.id, "bot was blocked by the user");
    bot.push("my_chat_member", {
      chat: this.direct.chat,
      from: this.user,
      date: Math.floor(this.#server.world.now() / 1000),
      old_chat_member: { user: bot.user, status: "member" },
      new_chat_member: { user: bot.user, status: "kicked", until_date: 0 },
    });
  }

  /** What the bot wrote in a room and what stands there now, in order. */
  sees(room: ChatRoom = this.direct): TelegramMessage[] {
    return [...room.messages.values()].filter((message) => message.from?.is_bot);
  }

  #media(file: NonNullable<Said["file"]>): Record<string, unknown> {
    const stored = this.#server.world.store(file.name, file.type, file.bytes);
    const { file_id, file_unique_id, file_size } = stored;
    const facts = { file_id, file_unique_id, file_size };
    if (file.as === "photo") {
      return {
        photo: [
          { ...facts, file_id: "small", width: 90, height: 90 },
          { ...facts, width: 800, height: 600 },
        ],
      };
    }
    const { duration } = file;
    if (file.as === "video_note") return { video_note: { ...facts, length: 240, duration } };
    if (file.as === "voice") return { voice: { ...facts, mime_type: file.type, duration } };
    return { [file.as ?? "document"]: { ...facts, file_name: file.name, mime_type: file.type } };
  }
}
