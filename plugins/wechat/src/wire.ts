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
  /** What is answered: its text, a summary, or its id alone; `partial_text` says which part of it was marked. */
  ref_msg: z
    .object({
      title: optionalText,
      svr_id: longId.nullish(),
      message_item: z.unknown().optional(),
      partial_text: z.unknown().optional(),
    })
    .nullish(),
  text_item: z.object({ text: z.string() }).nullish(),
  image_item: z
    .object({ media: mediaSchema.nullish(), aeskey: optionalText, mid_size: z.number().nullish() })
    .nullish(),
  voice_item: z
    .object({
      media: mediaSchema.nullish(),
      text: optionalText,
      /** Milliseconds. */
      playtime: z.number().nonnegative().nullish().catch(null),
    })
    .nullish(),
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

/** What of an item is needed to answer it, where the rest of it has a form that is not known. */
const saidSchema = z.object({
  text_item: z.object({ text: z.string() }).nullish().catch(null),
  voice_item: z.object({ text: optionalText }).nullish().catch(null),
});
const senderSchema = z.object({
  from_user_id: z.string().min(1),
  message_id: longId.nullish().catch(null),
  group_id: optionalText.catch(null),
  context_token: optionalText.catch(null),
  item_list: z.array(z.unknown()),
});

/** The number of a message from a person. */
export const USER = 1;

/**
 * A message; of one whose form is not known, what is needed to answer its text. Null when that is not there either.
 *
 * @param odd is told what was not as expected: the place, without anything that was said
 */
export function readWire(value: unknown, odd: (where: string) => void): Message | null {
  const read = messageSchema.safeParse(value);
  if (read.success) return read.data;
  odd(read.error.issues[0]?.path.join(".") ?? "");
  const { data } = senderSchema.safeParse(value);
  return data ? { ...data, message_type: USER } : null;
}

/** The items of a message that are understood, in their order; of any other its words, where it has some. */
export function itemsOf(message: Message, odd: (where: string) => void = () => {}): Item[] {
  return (message.item_list ?? []).flatMap((item) => {
    const read = itemSchema.safeParse(item);
    if (read.success) return [read.data];
    odd(["item_list", ...(read.error.issues[0]?.path ?? [])].join("."));
    const { data } = saidSchema.safeParse(item);
    const text = data?.text_item?.text ?? data?.voice_item?.text ?? "";
    return text === "" ? [] : [{ type: 1, text_item: { text } }];
  });
}

/** One item, as it stands in a quote. */
export function itemOf(value: unknown): Item | null {
  return itemSchema.safeParse(value).data ?? null;
}
