import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";

const ALGORITHM = "aes-256-gcm";
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;

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

/** @throws when the key or `bound` is another one, or any part of `sealed` was changed */
export function unseal(key: Buffer, sealed: Sealed, bound: string): Buffer {
  const nonce = Buffer.from(sealed.nonce, "base64");
  const tag = Buffer.from(sealed.tag, "base64");
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(bound));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(Buffer.from(sealed.data, "base64")), decipher.final()]);
}
