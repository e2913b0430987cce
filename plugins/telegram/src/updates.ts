import type { ChannelPort, InboundMessage } from "@patchbay/plugin-sdk/channel";
import type { Message, Update } from "grammy/types";
import type { Api } from "grammy/web";
import { inboundOf, type Reading } from "./receive.ts";

/** What the bot asks for; nothing else is sent to it. */
export const wantedUpdates = ["message", "edited_message", "callback_query", "my_chat_member"] as const;

/** Telegram's limit for the answer to a pressed button, in characters. */
const ANSWER_LIMIT = 200;

export interface UpdateParts extends Reading {
  api: Api;
  port: ChannelPort;
  /** A sentence in the language of the chats. */
  say(sentence: string): string;
  /** Told of each update, before anything is done with it. */
  onUpdate(update: Update): void;
}

/**
 * Passes updates on, and resolves when all of them are stored. Messages of one conversation keep their order. Presses
 * of buttons go first, because a turn may be waiting for one.
 */
export async function handleUpdates(updates: readonly Update[], parts: UpdateParts): Promise<void> {
  for (const update of updates) parts.onUpdate(update);
  for (const { callback_query } of updates) if (callback_query) void press(callback_query, parts);
  const byChat = Map.groupBy(
    updates.flatMap(({ message, edited_message }) => message ?? edited_message ?? []),
    (message) => message.chat.id,
  );
  await Promise.all(Array.from(byChat.values(), (messages) => handleChat(messages, parts)));
}

async function handleChat(messages: Message[], parts: UpdateParts): Promise<void> {
  for (const message of albumsJoined(messages, parts)) {
    const { chat, migrate_to_chat_id: to } = message.source;
    if (to !== undefined) await parts.moves.moved(String(chat.id), String(to));
    await parts.port.message(message.inbound);
  }
}

/** Joins the pictures of an album, which arrive as separate messages, to one message. */
function albumsJoined(messages: Message[], parts: UpdateParts) {
  const joined: { source: Message; inbound: InboundMessage }[] = [];
  for (const source of messages) {
    const inbound = inboundOf(source, parts);
    const before = joined.at(-1);
    const album = source.media_group_id;
    if (
      before &&
      inbound.kind === "message" &&
      album !== undefined &&
      before.source.media_group_id === album
    ) {
      before.inbound.files = [...(before.inbound.files ?? []), ...(inbound.files ?? [])];
      before.inbound.text = [before.inbound.text, inbound.text].filter(Boolean).join("\n");
    } else joined.push({ source, inbound });
  }
  return joined;
}

async function press(query: NonNullable<Update["callback_query"]>, { api, moves, port, say }: UpdateParts) {
  const { id, from, data, message } = query;
  const chat = moves.original(String(message?.chat.id ?? from.id));
  const topic = message && "is_topic_message" in message ? message.message_thread_id : undefined;
  const pressed = {
    conversation: topic === undefined ? chat : `${chat}:${topic}`,
    ...(message && { messageId: String(message.message_id) }),
    userId: String(from.id),
    data: data ?? "",
  };
  const text = await port.press(pressed).catch(() => say("That did not work. Try again."));
  // Telegram refuses an answer to a press that comes too late; that does no harm.
  await api.answerCallbackQuery(id, { text: text.slice(0, ANSWER_LIMIT) }).catch(() => {});
}
