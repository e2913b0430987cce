import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { fromMrkdwn } from "./mrkdwn.ts";

const fileSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().optional(),
  size: z.number().optional(),
  url_private: z.string().optional(),
  url_private_download: z.string().optional(),
  file_access: z.string().optional(),
});

/** What is read of an event; the rest is not looked at. */
export const messageSchema = z.object({
  type: z.enum(["message", "app_mention"]),
  subtype: z.string().optional(),
  channel: z.string(),
  channel_type: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  parent_user_id: z.string().optional(),
  files: z.array(fileSchema).optional(),
});
export type SlackEvent = z.infer<typeof messageSchema>;

export const commandSchema = z.object({
  command: z.string(),
  text: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().optional(),
  channel_id: z.string(),
  trigger_id: z.string(),
});

export const pressSchema = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string() }),
  channel: z.object({ id: z.string() }).optional(),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }).optional(),
  actions: z.array(z.object({ value: z.string().optional() })).min(1),
});

/** Subtypes that are still something that a person said. */
const spoken = new Set([undefined, "file_share", "thread_broadcast", "me_message"]);

/** What an event says to the channel. A mention in a channel opens a thread: that is the conversation. */
export function inboundOf(event: SlackEvent, botUserId: string, name?: string): InboundMessage {
  const mention = `<@${botUserId}>`;
  const direct =
    event.channel_type === "im" || (event.channel_type === undefined && event.channel.startsWith("D"));
  const source = event.text ?? "";
  const mentioned = event.type === "app_mention" || source.includes(mention);
  const thread = event.thread_ts ?? (direct ? undefined : event.ts);
  return {
    conversation: conversationOf(event.channel, thread),
    id: event.ts,
    // A mention arrives as two events: as a message of the channel and as a mention. Both get the same key.
    dedupeKey: `${event.channel}:${event.ts}`,
    kind: kindOf(event),
    from: {
      id: event.user ?? event.bot_id ?? "",
      ...(name !== undefined && { name }),
      bot: event.bot_id !== undefined,
      self: event.user === botUserId,
    },
    text: commandOf(fromMrkdwn(source.replaceAll(mention, "")).trim()),
    ...(event.files && { files: event.files.map(fileOf) }),
    ...(!direct && {
      group: { id: event.channel, addressed: mentioned || event.parent_user_id === botUserId },
    }),
  };
}

/** `<channel>` or `<channel>:<thread>`. */
export function conversationOf(channel: string, thread: string | undefined): string {
  return thread === undefined ? channel : `${channel}:${thread}`;
}

export function placeOf(conversation: string): { channel: string; thread_ts?: string } {
  const [channel = "", thread] = conversation.split(":");
  return { channel, ...(thread !== undefined && { thread_ts: thread }) };
}

function kindOf({ subtype }: SlackEvent): InboundMessage["kind"] {
  if (spoken.has(subtype) || subtype === "bot_message") return "message";
  return subtype === "message_changed" ? "edit" : "notice";
}

/** Slack does not deliver messages that begin with a slash, so `!new` stands for `/new`. */
function commandOf(text: string): string {
  return text.replace(/^!(?=[a-z])/i, "/");
}

function fileOf(file: z.infer<typeof fileSchema>): InboundFile {
  const address = file.url_private_download ?? file.url_private;
  return {
    name: file.name ?? file.id,
    mimeType: file.mimetype ?? "application/octet-stream",
    // Files of connected workspaces have no address in the event, so they are looked up by their id.
    ref: address && file.file_access !== "check_file_info" ? address : `file:${file.id}`,
    ...(file.size !== undefined && { size: file.size }),
  };
}
