import type { UploadedFile } from "../http.ts";
import type { BotAccount, BotCommand } from "./bot-account.ts";
import { type Entity, MarkupError, parseHtml } from "./html.ts";
import type { ChatRoom, TelegramFile, TelegramMessage, TelegramWorld } from "./world.ts";

/** An error of the Bot API. */
export class TelegramError extends Error {
  readonly code: number;
  readonly parameters: Record<string, number> | undefined;

  constructor(code: number, description: string, parameters?: Record<string, number>) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export interface MethodCall {
  bot: BotAccount;
  world: TelegramWorld;
  fields: Record<string, unknown>;
  files: Map<string, UploadedFile>;
}

const bad = (description: string) => new TelegramError(400, `Bad Request: ${description}`);
const mediaLimit = 50 * 1024 * 1024;
const photoLimit = 10 * 1024 * 1024;
const downloadLimit = 20 * 1024 * 1024;
/** A path of `getFile` is good for at least an hour. */
const pathGoodForMs = 3_600_000;

type Method = (call: MethodCall) => unknown;

/** The methods that need no waiting; the server itself answers `getUpdates` and those of the webhook. */
export const methods: Record<string, Method> = {
  getMe: ({ bot }) => ({
    ...bot.user,
    can_join_groups: true,
    can_read_all_group_messages: bot.hearsEverything,
    supports_inline_queries: false,
  }),
  setMyCommands: ({ bot, fields }) => {
    const commands = list(fields.commands);
    for (const { command } of commands as { command: string }[]) {
      if (!/^[a-z0-9_]{1,32}$/.test(command)) throw bad("BOT_COMMAND_INVALID");
    }
    const language = String(fields.language_code ?? "");
    if (!/^([a-z]{2})?$/.test(language)) throw bad("language code is invalid");
    bot.commandsIn.set(language, commands as BotCommand[]);
    return true;
  },
  sendMessage: (call) => {
    const room = roomOf(call);
    return room.add(
      { from: call.bot.user, ...textOf(call, "text", 4096), ...placeOf(call, room), ...keyboardOf(call) },
      call.world.now(),
    );
  },
  editMessageText: (call) => {
    const message = ownMessage(call, "edit");
    const next = { ...textOf(call, "text", 4096), ...keyboardOf(call) };
    const { text, entities, reply_markup } = message;
    if (JSON.stringify({ text, entities, reply_markup }) === JSON.stringify({ ...emptied, ...next })) {
      throw bad(
        "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message",
      );
    }
    Object.assign(message, emptied, next, { edit_date: Math.floor(call.world.now() / 1000) });
    return message;
  },
  editMessageReplyMarkup: (call) => {
    const message = ownMessage(call, "edit");
    Object.assign(message, { reply_markup: undefined }, keyboardOf(call));
    return message;
  },
  deleteMessage: (call) => {
    const message = ownMessage(call, "delete");
    call.world.rooms.get(message.chat.id)?.messages.delete(message.message_id);
    return true;
  },
  setMessageReaction: (call) => {
    const room = roomOf(call);
    if (!room.messages.has(number(call.fields.message_id))) throw bad("message to react not found");
    return true;
  },
  sendChatAction: (call) => {
    roomOf(call);
    if (typeof call.fields.action !== "string") throw bad("wrong parameter action in request");
    return true;
  },
  answerCallbackQuery: ({ bot, fields }) => {
    const callback = bot.callbacks.get(String(fields.callback_query_id));
    if (!callback || callback.late || callback.answered) {
      throw bad("query is too old and response timeout expired or query ID is invalid");
    }
    if (String(fields.text ?? "").length > 200) throw bad("MESSAGE_TOO_LONG");
    callback.answered = true;
    if (typeof fields.text === "string") callback.text = fields.text;
    return true;
  },
  sendPhoto: (call) => {
    const file = upload(call, "photo", photoLimit);
    checkSides(file.bytes);
    return addMedia(call, {
      photo: [
        { ...described(file), file_id: `${file.file_id}s`, width: 90, height: 90 },
        { ...described(file), width: 800, height: 800 },
      ],
    });
  },
  sendDocument: (call) => {
    const file = upload(call, "document", mediaLimit);
    return addMedia(call, { document: { ...described(file), file_name: file.name, mime_type: file.type } });
  },
  sendVideo: (call) => addMedia(call, { video: described(upload(call, "video", mediaLimit)) }),
  sendVoice: (call) => {
    const { duration } = call.fields;
    const file = described(upload(call, "voice", mediaLimit));
    return addMedia(call, {
      voice: { ...file, ...(duration !== undefined && { duration: Number(duration) }) },
    });
  },
  sendAudio: (call) => addMedia(call, { audio: described(upload(call, "audio", mediaLimit)) }),
  getFile: ({ world, fields }) => {
    const file = world.files.get(String(fields.file_id));
    if (!file) throw bad("wrong file_id or the file is temporarily unavailable");
    if (file.file_size > downloadLimit) throw bad("file is too big");
    file.goodUntil = world.now() + pathGoodForMs;
    return { ...described(file), file_path: file.file_path };
  },
};

const emptied = { text: undefined, entities: undefined, reply_markup: undefined };

function described(file: TelegramFile) {
  const { file_id, file_unique_id, file_size } = file;
  return { file_id, file_unique_id, file_size };
}

function roomOf({ bot, world, fields }: MethodCall): ChatRoom {
  if (fields.chat_id === undefined || fields.chat_id === "") throw bad("chat_id is empty");
  const room = world.rooms.get(number(fields.chat_id));
  if (!room) throw bad("chat not found");
  if (room.migratedTo !== undefined) {
    throw new TelegramError(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: room.migratedTo,
    });
  }
  const shut = room.shut.get(bot.user.id);
  if (shut !== undefined) throw new TelegramError(403, `Forbidden: ${shut}`);
  if (room.chat.type === "private" && room.members.size === 0) {
    throw new TelegramError(403, "Forbidden: bot can't initiate conversation with a user");
  }
  if (room.chat.type !== "private" && !room.members.has(bot.user.id)) {
    throw new TelegramError(403, "Forbidden: bot is not a member of the group chat");
  }
  return room;
}

function placeOf({ fields }: MethodCall, room: ChatRoom): Partial<TelegramMessage> {
  const place: Partial<TelegramMessage> = {};
  if (fields.message_thread_id !== undefined) {
    const thread = number(fields.message_thread_id);
    if (!room.topics.has(thread)) throw bad("message thread not found");
    place.message_thread_id = thread;
    place.is_topic_message = true;
  }
  const reply = parsed(fields.reply_parameters) as {
    message_id?: number;
    allow_sending_without_reply?: boolean;
  };
  if (reply?.message_id !== undefined) {
    const original = room.messages.get(reply.message_id);
    if (original) place.reply_to_message = original;
    else if (reply.allow_sending_without_reply !== true) throw bad("message to be replied not found");
  }
  return place;
}

function textOf({ fields }: MethodCall, field: "text" | "caption", limit: number) {
  const raw = fields[field];
  if (raw !== undefined && typeof raw !== "string") throw bad(`strings must be encoded in UTF-8`);
  const { text, entities } = marked(raw ?? "", fields);
  if (text.trim() === "" && field === "text") throw bad("message text is empty");
  if (text.length > limit)
    throw bad(field === "text" ? "message is too long" : "message caption is too long");
  if (text === "") return {};
  const marks = field === "text" ? "entities" : "caption_entities";
  return { [field]: text, ...(entities.length > 0 && { [marks]: entities }) };
}

function marked(raw: string, fields: Record<string, unknown>): { text: string; entities: Entity[] } {
  const mode = fields.parse_mode;
  if (mode === undefined || mode === "") return { text: raw, entities: [] };
  if (mode !== "HTML") throw bad("unsupported parse_mode");
  try {
    return parseHtml(raw);
  } catch (error) {
    if (error instanceof MarkupError) throw bad(`can't parse entities: ${error.message}`);
    throw error;
  }
}

function keyboardOf({ fields }: MethodCall): Pick<TelegramMessage, "reply_markup"> {
  const markup = parsed(fields.reply_markup) as TelegramMessage["reply_markup"];
  if (markup === undefined) return {};
  for (const button of markup.inline_keyboard.flat()) {
    if (button.text === "") throw bad("can't parse inline keyboard button: Text is empty");
    if (button.callback_data !== undefined) {
      const size = Buffer.byteLength(button.callback_data);
      if (size < 1 || size > 64) throw bad("BUTTON_DATA_INVALID");
    }
  }
  return markup.inline_keyboard.flat().length > 0 ? { reply_markup: markup } : {};
}

function ownMessage(call: MethodCall, doing: "edit" | "delete"): TelegramMessage {
  const message = roomOf(call).messages.get(number(call.fields.message_id));
  if (!message) throw bad(`message to ${doing} not found`);
  if (message.from?.id !== call.bot.user.id) throw bad(`message can't be ${doing}ed`.replace("eed", "ed"));
  return message;
}

function upload(call: MethodCall, field: string, limit: number): TelegramFile {
  const given = call.fields[field];
  const attached = typeof given === "string" ? /^attach:\/\/(.+)$/.exec(given)?.[1] : undefined;
  const file = call.files.get(attached ?? field);
  if (file) {
    if (file.bytes.length === 0) throw bad("file must be non-empty");
    if (file.bytes.length > limit) throw new TelegramError(413, "Request Entity Too Large");
    return call.world.store(file.name, file.type, file.bytes);
  }
  const known = typeof given === "string" ? call.world.files.get(given) : undefined;
  if (!known) throw bad("wrong remote file identifier specified: Wrong string length");
  return known;
}

/** As the service checks a picture, for PNGs alone: the sides together, and how long it is. */
function checkSides(bytes: Buffer): void {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (width + height > 10_000 || ratio > 20) throw bad("PHOTO_INVALID_DIMENSIONS");
}

function addMedia(call: MethodCall, media: Record<string, unknown>): TelegramMessage {
  const room = roomOf(call);
  return room.add(
    {
      from: call.bot.user,
      ...media,
      ...textOf(call, "caption", 1024),
      ...placeOf(call, room),
      ...keyboardOf(call),
    },
    call.world.now(),
  );
}

/** Nested values come as JSON text in forms, and as they are in JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw bad("object expected as reply markup");
  }
}

function list(value: unknown): unknown[] {
  const found = parsed(value);
  if (!Array.isArray(found)) throw bad("can't parse commands");
  return found;
}

function number(value: unknown): number {
  const found = typeof value === "string" ? Number(value) : value;
  if (typeof found !== "number" || !Number.isInteger(found)) throw bad("chat not found");
  return found;
}
