import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import { type APIAttachment, type APIMessage, type APIUser, MessageType } from "discord.js";

/** A message of a dispatch, or of the REST API, which tells less. */
export type DiscordMessage = APIMessage & {
  guild_id?: string;
  member?: { nick?: string | null };
};

export interface Surroundings {
  botId: string;
  /** Null: a direct channel. Else the channel that an allow-list names: the thread's parent. */
  group: string | null;
}

const spoken = new Set([MessageType.Default, MessageType.Reply]);

/** What a message says to the channel. A thread has an id of its own, so that it is a conversation of its own. */
export function inboundOf(message: DiscordMessage, { botId, group }: Surroundings): InboundMessage {
  const { author } = message;
  const mentioned = message.mentions.some(({ id }) => id === botId);
  const replied = message.referenced_message?.author.id === botId;
  return {
    conversation: message.channel_id,
    id: message.id,
    kind: spoken.has(message.type) ? "message" : "notice",
    from: {
      id: author.id,
      name: message.member?.nick ?? author.global_name ?? author.username,
      bot: author.bot === true || message.webhook_id !== undefined,
      self: author.id === botId,
    },
    text: readable(message.content, message.mentions, botId),
    files: message.attachments.map((file) => fileOf(message, file)),
    ...(group !== null && { group: { id: group, addressed: mentioned || replied }, replyTo: message.id }),
  };
}

/** Without the mention of the bot; other mentions as names. */
function readable(content: string, mentions: readonly APIUser[], botId: string): string {
  return content
    .replace(/<@!?(\d+)>/g, (whole, id: string) => {
      if (id === botId) return "";
      const user = mentions.find((one) => one.id === id);
      return user ? `@${user.global_name ?? user.username}` : whole;
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

function fileOf({ channel_id, id }: DiscordMessage, file: APIAttachment): InboundFile {
  const ref: FileRef = { channel: channel_id, message: id, id: file.id, url: file.url };
  return {
    name: file.filename,
    mimeType: file.content_type ?? "application/octet-stream",
    size: file.size,
    ref: JSON.stringify(ref),
  };
}
