import { randomBytes, scrypt } from "node:crypto";
import { z } from "zod";
import { PatchbayError } from "../../contract/index.ts";
import { KEY_BYTES } from "./sealing.ts";

/** How a key is made of a passphrase (scrypt, RFC 7914). Kept beside what it locks, so that it can be raised later. */
export const derivedSchema = z.object({
  salt: z.base64(),
  /** Cost: a power of two. Memory is 128 · cost · block bytes. */
  cost: z
    .number()
    .int()
    .min(1 << 14)
    .max(1 << 20),
  block: z.number().int().min(1).max(16),
});
export type Derivation = z.infer<typeof derivedSchema>;

const SHORTEST = 8;

export function newDerivation(): Derivation {
  return { salt: randomBytes(16).toString("base64"), cost: 1 << 16, block: 8 };
}

/** Takes about a fifth of a second, on purpose. */
export function deriveKey(passphrase: string, { salt, cost, block }: Derivation): Promise<Buffer> {
  const maxmem = 256 * cost * block;
  return new Promise((resolve, reject) => {
    scrypt(
      passphrase.normalize("NFKC"),
      Buffer.from(salt, "base64"),
      KEY_BYTES,
      { N: cost, r: block, p: 1, maxmem },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

/** @throws PatchbayError BAD_INPUT */
export function refuseWeak(passphrase: string): void {
  if (passphrase.length >= SHORTEST) return;
  throw new PatchbayError("BAD_INPUT", `A passphrase needs at least ${SHORTEST} characters.`, {
    help: "Take several words.",
  });
}
