import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { markedPart } from "./quotes.ts";
import { type Item, itemOf, itemsOf, type Media, type Message, mediaSchema, USER } from "./wire.ts";

/** The protocol's number of a message that is still being written. */
const GENERATING = 1;

/** What a reader knows beside the message. */
export interface Reading {
  /** What was said in a conversation under this id; null when nobody remembers. */
  find(conversation: string, id: string): string | null;
  /** Something in the message has a form that is not known. */
  odd(where: string): void;
}

/** What is needed to fetch a file later; its JSON is the `ref` of an inbound file. */
const refSchema = z.object({ media: mediaSchema, key: z.string() });

/**
 * Reads a message; null for anything but a person's message to the bot alone. The protocol has groups, but no answer
 * has ever been seen to arrive in one, so they are ignored.
 */
export function readMessage(message: Message, reading: Reading): InboundMessage | null {
  if (message.group_id || message.message_state === GENERATING) return null;
  const items = itemsOf(message, reading.odd);
  const textOf = (item: Item) => {
    const said = wordsOf(item);
    return said === "" ? "" : `${quoteOf(item, message.from_user_id, reading)}${heardIn(item)}${said}`;
  };
  const id = message.message_id ?? items.find((item) => item.msg_id)?.msg_id ?? undefined;
  const files = items.flatMap((item) => fileOf(item) ?? []);
  return {
    conversation: message.from_user_id,
    ...(id !== undefined && id !== null && { id }),
    from: { id: message.from_user_id, self: message.message_type !== USER },
    text: items.map(textOf).filter(Boolean).join("\n"),
    ...(files.length > 0 && { files }),
    ...(items.some((item) => item.voice_item?.text) && { spoken: true }),
  };
}

/** What stands before the words of a voice message: they are WeChat's own, and may be misheard. */
function heardIn({ voice_item }: Item): string {
  if (!voice_item?.text) return "";
  const seconds = Math.round((voice_item.playtime ?? 0) / 1_000);
  const length = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return `[Voice note${seconds > 0 ? `, ${length}` : ""}, as WeChat understood it] `;
}

/** The words of a message alone, without what it answers. */
export function saidIn(message: Message): string {
  return itemsOf(message).map(wordsOf).filter(Boolean).join("\n");
}

function wordsOf(item: Item): string {
  return item.text_item?.text ?? item.voice_item?.text ?? "";
}

/** What an item answers, as lines before it: the marked part, else the text, as the phone sent it or as it is remembered. */
function quoteOf({ ref_msg }: Item, conversation: string, { find }: Reading): string {
  if (!ref_msg) return "";
  const { title, svr_id, message_item, partial_text } = ref_msg;
  const quoted = itemOf(message_item);
  const id = svr_id ?? quoted?.msg_id;
  const sent = (quoted && wordsOf(quoted)) || title || "";
  const whole = (id ? find(conversation, id) : null) ?? sent;
  const text = (whole && markedPart(whole, partial_text)) || sent || whole || "[An earlier message]";
  return `${text.replace(/^/gm, "> ")}\n`;
}

function fileOf(item: Item): InboundFile | null {
  if (item.image_item?.media) {
    const { media, aeskey } = item.image_item;
    return file("image.jpg", "image/jpeg", media, aeskey);
  }
  // A voice message comes with WeChat's transcript. Its sound is passed on only without one, because hardly anything
  // reads the format.
  if (item.voice_item?.media && !item.voice_item.text)
    return { ...file("voice.silk", "audio/silk", item.voice_item.media), voice: {} };
  if (item.file_item?.media) {
    const { media, file_name, len } = item.file_item;
    const size = Number(len);
    return {
      ...file(file_name || "file", "application/octet-stream", media),
      ...(size > 0 && { size }),
    };
  }
  if (item.video_item?.media) return file("video.mp4", "video/mp4", item.video_item.media);
  return null;
}

function file(name: string, mimeType: string, media: Media, hexKey?: string | null): InboundFile {
  const key = hexKey ? Buffer.from(hexKey, "hex").toString("base64") : (media.aes_key ?? "");
  return { name, mimeType, ref: JSON.stringify({ media, key }) };
}

export function readRef(ref: string): z.infer<typeof refSchema> {
  return refSchema.parse(JSON.parse(ref));
}
