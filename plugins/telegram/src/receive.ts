import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { Message, MessageEntity, UserFromGetMe } from "grammy/types";
import type { ChatMoves } from "./chat-moves.ts";
import { saidBefore } from "./said-before.ts";

export interface Reading {
  bot: UserFromGetMe;
  moves: ChatMoves;
  /** Ids of groups as the settings name them. */
  groups: readonly string[];
}

/** What a message of Telegram says to the channel. */
export function inboundOf(message: Message, { bot, moves, groups }: Reading): InboundMessage {
  const chat = moves.original(String(message.chat.id));
  const topic = message.is_topic_message ? message.message_thread_id : undefined;
  const { text, addressed } = textOf(message, bot);
  const group = message.chat.type !== "private";
  // The settings may name a group by the id that it began with, or by the one that it has as a supergroup.
  const groupId = groups.find((id) => moves.original(id) === chat) ?? chat;
  return {
    conversation: topic === undefined ? chat : `${chat}:${topic}`,
    id: String(message.message_id),
    kind: message.is_automatic_forward ? "notice" : message.edit_date === undefined ? "message" : "edit",
    from: senderOf(message),
    text,
    files: filesOf(message),
    ...(group && { group: { id: groupId, addressed }, replyTo: String(message.message_id) }),
  };
}

/** Where a conversation is on Telegram: the chat with its topic. */
export function placeOf(conversation: string, moves: ChatMoves): { chat: string; topic?: number } {
  const [chat = "", topic] = conversation.split(":");
  return { chat: moves.current(chat), ...(topic !== undefined && { topic: Number(topic) }) };
}

function senderOf({ from, sender_chat, chat }: Message): InboundMessage["from"] {
  // Anonymous admins write as the group itself, through an account that is marked as a bot.
  if (sender_chat) {
    const own = sender_chat.id === chat.id;
    return {
      id: String(sender_chat.id),
      ...("title" in sender_chat && { name: sender_chat.title }),
      bot: !own,
    };
  }
  if (!from) return { id: "0", bot: true };
  const name = [from.first_name, from.last_name].filter(Boolean).join(" ");
  return { id: String(from.id), name, bot: from.is_bot };
}

/** The text without the mention of the bot, and whether it is meant for the bot. */
function textOf(message: Message, bot: UserFromGetMe): { text: string; addressed: boolean } {
  const source = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  const mine = `@${bot.username}`.toLowerCase();
  let addressed = message.reply_to_message?.from?.id === bot.id;
  let text = "";
  let last = 0;
  for (const entity of entities) {
    const word = source.slice(entity.offset, entity.offset + entity.length);
    const instead = wordFor(entity, word, mine, bot.id);
    if (instead === null) continue;
    addressed = true;
    text += source.slice(last, entity.offset) + instead;
    last = entity.offset + entity.length;
  }
  text = (text + source.slice(last)).trim();
  if (/^\/start(\s|$)/.test(text)) text = "/help";
  return { text: `${saidBefore(message, text, bot)}${text || spokenOf(message)}`, addressed };
}

/** The text to put in place of a word that addresses the bot; null when the word does not. */
function wordFor(entity: MessageEntity, word: string, mine: string, botId: number): string | null {
  switch (entity.type) {
    case "mention":
      return word.toLowerCase() === mine ? "" : null;
    case "text_mention":
      return entity.user.id === botId ? "" : null;
    case "bot_command": {
      if (entity.offset !== 0) return null;
      if (!word.includes("@")) return word;
      return word.toLowerCase().endsWith(mine) ? word.slice(0, -mine.length) : null;
    }
    default:
      return null;
  }
}

/** A word in brackets or the like for a message without text, such as a sticker. */
function spokenOf(message: Message): string {
  if (message.sticker) return message.sticker.emoji ?? "[A sticker]";
  if (message.location) return `[Location ${message.location.latitude}, ${message.location.longitude}]`;
  if (message.contact) return `[Contact ${message.contact.first_name}, ${message.contact.phone_number}]`;
  return "";
}

function filesOf(message: Message): InboundFile[] {
  const { photo, document, video, voice, audio, video_note } = message;
  const files: InboundFile[] = [];
  const largest = photo?.at(-1);
  if (largest) files.push(fileOf(largest, "photo.jpg", "image/jpeg"));
  if (document) files.push(fileOf(document, document.file_name ?? "document", document.mime_type));
  if (video) files.push(fileOf(video, video.file_name ?? "video.mp4", video.mime_type ?? "video/mp4"));
  if (voice) {
    const file = fileOf(voice, "voice.ogg", voice.mime_type ?? "audio/ogg");
    files.push({ ...file, voice: { seconds: voice.duration } });
  }
  if (video_note) {
    const file = fileOf(video_note, "video-note.mp4", "video/mp4");
    files.push({ ...file, voice: { seconds: video_note.duration } });
  }
  if (audio) files.push(fileOf(audio, audio.file_name ?? "audio.mp3", audio.mime_type ?? "audio/mpeg"));
  return files;
}

function fileOf(
  { file_id, file_size }: { file_id: string; file_size?: number },
  name: string,
  mimeType = "application/octet-stream",
): InboundFile {
  return { name, mimeType, ref: file_id, ...(file_size !== undefined && { size: file_size }) };
}
