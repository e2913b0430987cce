import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { type ChannelClock, ChannelFailure, fetchFile, pause } from "@patchbay/plugin-sdk/channel";
import type { WeChatApi } from "./api.ts";
import { type Media, uploadSchema } from "./wire.ts";

/** Largest file that is sent, in bytes: at the 10 KB a second that were measured, it takes about 14 minutes. */
const MAX_UPLOAD = 8 * 1024 * 1024;
const UPLOAD_TRIES = 3;
const CALL_MS = 15_000;

/** Tencent's numbers for what is uploaded, and for the item that shows it. */
const kinds = {
  image: { upload: 1, item: 2 },
  video: { upload: 2, item: 5 },
  file: { upload: 3, item: 4 },
} as const;

export interface OutgoingFile {
  name: string;
  mimeType: string;
  bytes: Buffer;
}

export interface MediaOptions {
  api: WeChatApi;
  cdnUrl: string;
  clock: ChannelClock;
}

/** AES-128-ECB with PKCS7, as the service wants it. */
export function encrypt(bytes: Uint8Array, key: Buffer): Buffer {
  const cipher = createCipheriv("aes-128-ecb", key, null);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

/** @throws ChannelFailure `refused` when key and bytes do not belong together */
export function decrypt(bytes: Uint8Array, key: Buffer): Buffer {
  try {
    const decipher = createDecipheriv("aes-128-ecb", key, null);
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch (error) {
    throw new ChannelFailure("refused", "it cannot be deciphered", { cause: error });
  }
}

/** The key in base64: of 16 bytes, or of the 32 hexadecimal digits that stand for them. @throws ChannelFailure `refused` */
export function keyOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  const text = bytes.toString("latin1");
  if (bytes.length === 32 && /^[0-9a-fA-F]+$/.test(text)) return Buffer.from(text, "hex");
  if (bytes.length === 16) return bytes;
  throw new ChannelFailure("refused", "its key is not one");
}

/** Fetches a file and deciphers it. Only the service's own file server is asked. */
export async function downloadMedia(
  media: Media,
  key: string,
  cdnUrl: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const cdn = new URL(cdnUrl);
  const address =
    media.full_url ||
    `${cdnUrl}/download?encrypted_query_param=${encodeURIComponent(media.encrypt_query_param ?? "")}`;
  const bytes = await fetchFile(address, { hosts: [cdn.host], allowHttp: cdn.protocol === "http:", signal });
  return key === "" ? Buffer.from(bytes) : decrypt(bytes, keyOf(key));
}

/**
 * Uploads a file for somebody; gives the item of the message that shows it.
 * @throws ChannelFailure `refused` when it is too large or not taken, `offline`
 */
export async function uploadMedia(file: OutgoingFile, to: string, options: MediaOptions): Promise<object> {
  if (file.bytes.length > MAX_UPLOAD) throw new ChannelFailure("refused", "larger than 8 MiB");
  const kind = kinds[kindOf(file.mimeType)];
  const key = randomBytes(16);
  const hexKey = key.toString("hex");
  const filekey = randomBytes(16).toString("hex");
  const cipher = encrypt(file.bytes, key);
  const place = await options.api.post(
    "ilink/bot/getuploadurl",
    {
      filekey,
      media_type: kind.upload,
      to_user_id: to,
      rawsize: file.bytes.length,
      rawfilemd5: createHash("md5").update(file.bytes).digest("hex"),
      filesize: cipher.length,
      no_need_thumb: true,
      aeskey: hexKey,
    },
    uploadSchema,
    { timeoutMs: CALL_MS },
  );
  const param = place.upload_param ?? "";
  const address =
    place.upload_full_url ||
    `${options.cdnUrl}/upload?encrypted_query_param=${encodeURIComponent(param)}&filekey=${filekey}`;
  const media = {
    encrypt_query_param: await put(address, cipher, options),
    aes_key: Buffer.from(hexKey).toString("base64"),
    encrypt_type: 1,
  };
  switch (kind) {
    case kinds.image:
      return { type: kind.item, image_item: { media, mid_size: cipher.length } };
    case kinds.video:
      return { type: kind.item, video_item: { media, video_size: cipher.length } };
    default:
      return {
        type: kind.item,
        file_item: { media, file_name: file.name, len: String(file.bytes.length) },
      };
  }
}

/** Resolves with the service's reference to the uploaded bytes. */
async function put(address: string, bytes: Buffer, { cdnUrl, clock }: MediaOptions): Promise<string> {
  const url = new URL(address);
  if (url.host !== new URL(cdnUrl).host) {
    throw new ChannelFailure("refused", `${url.host} is not where files are put`);
  }
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(bytes),
    }).catch((error: unknown) => {
      throw new ChannelFailure("offline", "The file server of WeChat cannot be reached.", { cause: error });
    });
    await response.body?.cancel();
    const reference = response.headers.get("x-encrypted-param");
    if (response.ok && reference) return reference;
    const why = response.headers.get("x-error-message") ?? `status ${response.status}`;
    if (response.status < 500) throw new ChannelFailure("refused", `the file server did not take it: ${why}`);
    if (tries === UPLOAD_TRIES)
      throw new ChannelFailure("offline", `The file server of WeChat fails: ${why}.`);
    await pause(clock, 1_000 * tries);
  }
}

function kindOf(mimeType: string): keyof typeof kinds {
  if (mimeType.startsWith("image/")) return "image";
  return mimeType.startsWith("video/") ? "video" : "file";
}
