import { z } from "zod";

/** Ids are 64-bit numbers on the wire: more than a JavaScript number holds. */
const longId = z.union([z.string(), z.number()]).transform(String);
const optionalText = z.string().nullish();

export const mediaSchema = z.object({
  encrypt_query_param: optionalText,
  aes_key: optionalText,
  encrypt_type: z.number().nullish(),
  full_url: optionalText,
});
export type Media = z.infer<typeof mediaSchema>;

const itemSchema = z.object({
  type: z.number(),
  msg_id: longId.nullish(),
  ref_msg: z.object({ title: optionalText, partial_text: optionalText }).nullish(),
  text_item: z.object({ text: z.string() }).nullish(),
  image_item: z
    .object({ media: mediaSchema.nullish(), aeskey: optionalText, mid_size: z.number().nullish() })
    .nullish(),
  voice_item: z.object({ media: mediaSchema.nullish(), text: optionalText }).nullish(),
  file_item: z
    .object({
      media: mediaSchema.nullish(),
      file_name: optionalText,
      len: z.union([z.string(), z.number()]).nullish(),
    })
    .nullish(),
  video_item: z.object({ media: mediaSchema.nullish(), video_size: z.number().nullish() }).nullish(),
});
export type Item = z.infer<typeof itemSchema>;

export const messageSchema = z.object({
  message_id: longId.nullish(),
  from_user_id: z.string(),
  create_time_ms: z.number().nullish(),
  group_id: optionalText,
  message_type: z.number(),
  message_state: z.number().nullish(),
  context_token: optionalText,
  item_list: z.array(z.unknown()).nullish(),
});
export type Message = z.infer<typeof messageSchema>;

export const answerSchema = z.object({
  ret: z.number().nullish(),
  errcode: z.number().nullish(),
  errmsg: optionalText,
});

export const updatesSchema = z.object({
  /** Read one by one, so that a message that cannot be read does not prevent the others. */
  msgs: z.array(z.unknown()).nullish(),
  get_updates_buf: optionalText,
  longpolling_timeout_ms: z.number().positive().nullish(),
});
export const sentSchema = z.object({ message_id: longId.nullish() });
export const configSchema = z.object({ typing_ticket: optionalText });
export const uploadSchema = z.object({ upload_full_url: optionalText, upload_param: optionalText });

export const codeSchema = z.object({ qrcode: z.string().min(1), qrcode_img_content: z.string().min(1) });
export const scanSchema = z.object({
  status: z.string(),
  bot_token: optionalText,
  ilink_bot_id: optionalText,
  baseurl: optionalText,
  ilink_user_id: optionalText,
  redirect_host: optionalText,
});
export type Scan = z.infer<typeof scanSchema>;

/** Reads JSON with its long ids as text, digit by digit. @throws SyntaxError */
export function parseLossless(text: string): unknown {
  return JSON.parse(text.replace(/("(?:message_id|msg_id|svr_id)"\s*:\s*)(\d+)/g, '$1"$2"'));
}

/** The items of a message that are understood, in their order. */
export function itemsOf(message: Message): Item[] {
  return (message.item_list ?? []).flatMap((item) => {
    const read = itemSchema.safeParse(item);
    return read.success ? [read.data] : [];
  });
}
