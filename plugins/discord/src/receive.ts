import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageSnapshotFields,
  type APIUser,
  MessageFlags,
  MessageType,
} from "discord.js";

/** A message of a dispatch, or of the REST API, which tells less. */
export type DiscordMessage = APIMessage & {
  guild_id?: string;
  member?: { nick?: string | null };
};

export interface Surroundings {
  botId: string;
  /** Null: a direct channel. Else the channel that an allow-list names: the thread's parent. */
  group: string | null;
  /** The roles of the guild by id; `own` is the one that Discord made for the bot. */
  roles?: ReadonlyMap<string, { name: string; own: boolean }>;
  /** The message was changed after it was sent. */
  edited?: boolean;
}

const spoken = new Set([MessageType.Default, MessageType.Reply]);

/** What a message says to the channel. A thread has an id of its own, so that it is a conversation of its own. */
export function inboundOf(message: DiscordMessage, around: Surroundings): InboundMessage {
  const { author } = message;
  const { botId, group, roles, edited } = around;
  const original = message.referenced_message?.author.id;
  // People pick the bot's role as often as the bot: both have its name.
  const addressed =
    message.mentions.some(({ id }) => id === botId) ||
    message.mention_roles.some((id) => roles?.get(id)?.own) ||
    original === botId;
  const toOthers =
    !addressed && (message.mentions.length > 0 || (original !== undefined && original !== author.id));
  const forwarded = (message.message_snapshots ?? []).map((snapshot) => snapshot.message);
  return {
    conversation: message.channel_id,
    id: message.id,
    kind: spoken.has(message.type) ? (edited ? "edit" : "message") : "notice",
    from: {
      id: author.id,
      name: message.member?.nick ?? author.global_name ?? author.username,
      bot: author.bot === true || message.webhook_id !== undefined,
      self: author.id === botId,
    },
    text: [wordsOf(message, around), ...forwarded.map((one) => quoted(wordsOf(one, around)))]
      .filter((text) => text !== "")
      .join("\n"),
    files: [message, ...forwarded].flatMap(({ attachments }) =>
      attachments.map((file) => fileOf(message, file)),
    ),
    ...(group !== null && {
      group: { id: group, addressed, ...(toOthers && { toOthers }) },
      replyTo: message.id,
    }),
  };
}

/** The text with what stands beside it: stickers by their names, and the cards of bots that write nothing else. */
function wordsOf(
  { content, mentions, sticker_items = [], embeds }: APIMessageSnapshotFields,
  around: Surroundings,
): string {
  const text = readable(content, mentions, around);
  const stickers = sticker_items.map(({ name }) => `[Sticker: ${name}]`);
  const cards = text === "" && stickers.length === 0 ? embeds.map(cardOf) : [];
  return [text, ...stickers, ...cards].filter((part) => part !== "").join("\n");
}

function cardOf({ title, description, fields = [] }: APIEmbed): string {
  return [title, description, ...fields.map(({ name, value }) => `${name}: ${value}`)]
    .filter(Boolean)
    .join("\n");
}

function quoted(text: string): string {
  return text === "" ? "[Forwarded message]" : `[Forwarded message]\n${text.replace(/^/gm, "> ")}`;
}

/** Without the mention of the bot; other mentions as names. */
function readable(content: string, mentions: readonly APIUser[], { botId, roles }: Surroundings): string {
  return content
    .replace(/<@!?(\d+)>/g, (whole, id: string) => {
      if (id === botId) return "";
      const user = mentions.find((one) => one.id === id);
      return user ? `@${user.global_name ?? user.username}` : whole;
    })
    .replace(/<@&(\d+)>/g, (whole, id: string) => {
      const role = roles?.get(id);
      return role ? (role.own ? "" : `@${role.name}`) : whole;
    })
    .replace(/<a?(:\w+:)\d+>/g, "$1")
    .trim();
}

/** The address of a file expires; the rest is for asking for a new one. */
export interface FileRef {
  channel: string;
  message: string;
  id: string;
  url: string;
}

function fileOf({ channel_id, id, flags }: DiscordMessage, file: APIAttachment): InboundFile {
  const ref: FileRef = { channel: channel_id, message: id, id: file.id, url: file.url };
  const isVoice = ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
  return {
    name: file.filename,
    mimeType: file.content_type ?? "application/octet-stream",
    size: file.size,
    ref: JSON.stringify(ref),
    ...(isVoice && { voice: file.duration_secs === undefined ? {} : { seconds: file.duration_secs } }),
  };
}
