import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { typeOfFile } from "./file-types.ts";
import { fromMrkdwn } from "./mrkdwn.ts";

const fileSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  /** `slack_audio` and `slack_video` are clips that were recorded in Slack. */
  subtype: z.string().nullish().catch(null),
  duration_ms: z.number().nonnegative().nullish().catch(null),
  filetype: z.string().nullish(),
  size: z.number().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
  file_access: z.string().nullish(),
});

const said = {
  subtype: z.string().nullish(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  app_id: z.string().nullish(),
  bot_profile: z.object({ name: z.string().nullish() }).nullish(),
  username: z.string().nullish(),
  text: z.string().nullish(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  parent_user_id: z.string().nullish(),
  // A file of which too little is told must not take the message with it.
  files: z.array(z.unknown()).nullish(),
};

/** What is read of an event; the rest is not looked at. */
export const messageSchema = z.object({
  ...said,
  type: z.enum(["message", "app_mention"]),
  channel: z.string(),
  channel_type: z.string().nullish(),
  /** Of an edit: the message as it is now, and as it was. */
  message: z.object(said).nullish(),
  previous_message: z.object({ text: z.string().nullish() }).nullish(),
});
export type SlackEvent = z.infer<typeof messageSchema>;

export const commandSchema = z.object({
  command: z.string(),
  text: z.string().default(""),
  user_id: z.string(),
  user_name: z.string().optional(),
  channel_id: z.string(),
  thread_ts: z.string().nullish(),
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
const spoken = new Set<string | null | undefined>([
  undefined,
  null,
  "file_share",
  "thread_broadcast",
  "me_message",
]);

/** By what the app recognises itself. */
export interface Own {
  userId: string;
  botId: string;
  /** Not known before the first event. */
  appId?: string;
}

/** Whether another bot says it, or this one. */
export function speakerOf(
  { user, bot_id, app_id }: Pick<SlackEvent, "user" | "bot_id" | "app_id">,
  own: Own,
): "person" | "bot" | "self" {
  if (user === own.userId || (bot_id && bot_id === own.botId)) return "self";
  if (app_id && app_id === own.appId && bot_id) return "self";
  return bot_id || !user ? "bot" : "person";
}

/**
 * An edit as the message that it makes of the old one; null for one that changes no words, as when the preview of a link
 * is there. Anything else is returned as it is.
 */
export function withEdit(event: SlackEvent): SlackEvent | null {
  if (event.subtype !== "message_changed") return event;
  const { message, previous_message: before, channel, channel_type } = event;
  if (!message || message.text === before?.text) return null;
  return { ...message, subtype: "message_changed", type: "message", channel, channel_type };
}

/** What an event says to the channel. A mention in a channel opens a thread: that is the conversation. */
export function inboundOf(event: SlackEvent, own: Own, name?: string): InboundMessage {
  const mention = `<@${own.userId}>`;
  const direct = event.channel_type === "im" || (!event.channel_type && event.channel.startsWith("D"));
  const source = event.text ?? "";
  const mentioned = event.type === "app_mention" || source.includes(mention);
  const thread = event.thread_ts ?? (direct ? null : event.ts);
  const speaker = speakerOf(event, own);
  // Whoever mentions somebody else and not the agent does not speak to it.
  const toOthers = !mentioned && /<@[UW][A-Z0-9]+/.test(source);
  const shown = name ?? event.bot_profile?.name ?? event.username;
  return {
    conversation: conversationOf(event.channel, thread),
    id: event.ts,
    // A mention arrives as two events: as a message of the channel and as a mention. Both get the same key.
    dedupeKey: `${event.channel}:${event.ts}`,
    kind: kindOf(event),
    from: {
      id: event.user ?? event.bot_id ?? "",
      ...(shown && { name: shown }),
      bot: speaker === "bot",
      self: speaker === "self",
    },
    text: commandOf(fromMrkdwn(source.replaceAll(mention, "")).trim()),
    ...(event.files && { files: event.files.flatMap(fileOf) }),
    ...(!direct && {
      group: {
        id: event.channel,
        addressed: mentioned || (event.parent_user_id === own.userId && !toOthers),
        ...(toOthers && { toOthers }),
      },
    }),
  };
}

/** `<channel>` or `<channel>:<thread>`. */
export function conversationOf(channel: string, thread: string | null | undefined): string {
  return !thread ? channel : `${channel}:${thread}`;
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

function fileOf(told: unknown): InboundFile[] {
  const { data: file } = fileSchema.safeParse(told);
  if (!file) return [];
  const address = file.url_private_download ?? file.url_private;
  const name = file.name ?? file.id;
  const isClip = file.subtype === "slack_audio" || file.subtype === "slack_video";
  return [
    {
      name,
      mimeType: file.mimetype || typeOfFile(name, file.filetype),
      // Files of connected workspaces have no address in the event, so they are looked up by their id.
      ref: address && file.file_access !== "check_file_info" ? address : `file:${file.id}`,
      ...(typeof file.size === "number" && { size: file.size }),
      ...(isClip && { voice: file.duration_ms ? { seconds: file.duration_ms / 1000 } : {} }),
    },
  ];
}
