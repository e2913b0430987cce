import { createCipheriv, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { memoryFor } from "../redaction/memory.ts";

const ALGORITHM = "aes-256-gcm";
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Ciphertext of AES-256-GCM; all parts base64. */
export const sealedSchema = z.object({ nonce: z.base64(), data: z.base64(), tag: z.base64() });
export type Sealed = z.infer<typeof sealedSchema>;

/**
 * @param bound text that must be given again to unseal; it names the place of the value, so that a sealed value does
 * not open when somebody moves it to another place
 */
export function seal(key: Buffer, plain: Buffer, bound: string): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return {
    nonce: nonce.toString("base64"),
    data: data.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
  };
}

/**
 * Decrypts in a way that leaves the plain text in the returned memory alone, which the caller wipes. (A `Decipher` of
 * Node returns what it decrypts in memory that it may have copied before.) The stream of the cipher is what it makes of
 * zeros; and what is decrypted is right when sealing it again gives the same tag.
 *
 * @throws when the key or `bound` is another one, or any part of `sealed` was changed
 */
export function unseal(key: Buffer, sealed: Sealed, bound: string): Buffer {
  const nonce = Buffer.from(sealed.nonce, "base64");
  const data = Buffer.from(sealed.data, "base64");
  const stream = createCipheriv(ALGORITHM, key, nonce).update(Buffer.alloc(data.length));
  const plain = memoryFor(data.length);
  for (let at = 0; at < plain.length; at += 1) plain[at] = (data[at] ?? 0) ^ (stream[at] ?? 0);
  stream.fill(0);
  const again = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound));
  again.update(plain);
  again.final();
  const tag = Buffer.from(sealed.tag, "base64");
  if (tag.length === TAG_BYTES && timingSafeEqual(again.getAuthTag(), tag)) return plain;
  plain.fill(0);
  throw new Error("The sealed value was changed, or belongs to another key or place.");
}
