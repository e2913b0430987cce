import type { Message, UserFromGetMe } from "grammy/types";

/** Most characters of a message that is repeated before the answer to it. */
const MOST = 1_000;

/**
 * What stands before the text of a message: whose words they are when it was forwarded, and what it answers. A whole
 * message of the bot itself is not repeated, because the agent knows what it said; a part of one that was marked is.
 * Before a command nothing is repeated.
 */
export function saidBefore(message: Message, text: string, bot: UserFromGetMe): string {
  return forwarded(message) || (text.startsWith("/") ? "" : quoted(message, bot));
}

function quoted({ quote, reply_to_message: original }: Message, bot: UserFromGetMe): string {
  const text = quote?.text ?? (original?.from?.id === bot.id ? "" : (original?.text ?? original?.caption));
  if (!text) return "";
  return `${text.slice(0, MOST).toWellFormed().replace(/^/gm, "> ")}\n\n`;
}

/** A line of its own at the beginning, so that a forwarded command is none. */
function forwarded({ forward_origin: origin }: Message): string {
  if (!origin) return "";
  switch (origin.type) {
    case "user":
      return `[Forwarded from ${nameOf(origin.sender_user)}]\n`;
    case "hidden_user":
      return `[Forwarded from ${origin.sender_user_name}]\n`;
    case "chat":
      return `[Forwarded from ${titleOf(origin.sender_chat)}]\n`;
    case "channel":
      return `[Forwarded from ${titleOf(origin.chat)}]\n`;
  }
}

const nameOf = (user: { first_name: string; last_name?: string }) =>
  [user.first_name, user.last_name].filter(Boolean).join(" ");

function titleOf(chat: { title?: string; first_name?: string }): string {
  return chat.title ?? chat.first_name ?? "a chat";
}
