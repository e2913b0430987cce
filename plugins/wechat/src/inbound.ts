import type { InboundFile, InboundMessage } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { type Item, itemsOf, type Media, type Message, mediaSchema } from "./wire.ts";

// Numbers of the protocol: a message from a person; a message that is still being written.
const USER = 1;
const GENERATING = 1;

/** What is needed to fetch a file later; its JSON is the `ref` of an inbound file. */
const refSchema = z.object({ media: mediaSchema, key: z.string() });

/**
 * Reads a message; null for anything but a person's message to the bot alone. The protocol has groups, but no answer
 * has ever been seen to arrive in one, so they are ignored.
 */
export function readMessage(message: Message): InboundMessage | null {
  if (message.group_id || message.message_state === GENERATING) return null;
  const items = itemsOf(message);
  const id = message.message_id ?? items.find((item) => item.msg_id)?.msg_id ?? undefined;
  const files = items.flatMap((item) => fileOf(item) ?? []);
  return {
    conversation: message.from_user_id,
    ...(id !== undefined && id !== null && { id }),
    from: { id: message.from_user_id, self: message.message_type !== USER },
    text: items.map(textOf).filter(Boolean).join("\n"),
    ...(files.length > 0 && { files }),
  };
}

function textOf(item: Item): string {
  const said = item.text_item?.text ?? item.voice_item?.text ?? "";
  const quoted = item.ref_msg?.partial_text || item.ref_msg?.title;
  const quote = quoted
    ? `${quoted
        .split("\n")
        .map((text) => `> ${text}`)
        .join("\n")}\n`
    : "";
  return said === "" ? "" : `${quote}${said}`;
}

function fileOf(item: Item): InboundFile | null {
  if (item.image_item?.media) {
    const { media, aeskey } = item.image_item;
    return file("image.jpg", "image/jpeg", media, aeskey);
  }
  // A voice message comes with WeChat's transcript. Its sound is passed on only without one, because hardly anything
  // reads the format.
  if (item.voice_item?.media && !item.voice_item.text)
    return file("voice.silk", "audio/silk", item.voice_item.media);
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
