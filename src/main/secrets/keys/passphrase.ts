import { randomBytes, scrypt } from "node:crypto";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import { KEY_BYTES } from "./sealing.ts";

/**
 * The parameters by which a key is derived from a passphrase (scrypt, RFC 7914). They are stored beside the data that
 * the key encrypts, so that a later version can use a higher cost for new data.
 */
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

/** What OWASP advises for scrypt: N = 2^17, r = 8, p = 1, which takes 128 MiB. */
const COST = 1 << 17;

/** Whether guessing was made cheaper than it is today. */
export function isOutdated({ cost, block }: Derivation): boolean {
  return cost * block < COST * 8;
}

export function newDerivation(): Derivation {
  return { salt: randomBytes(16).toString("base64"), cost: COST, block: 8 };
}

/** Derives a key from a passphrase. Takes about half a second on purpose: guessing many passphrases must be slow. */
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

/** @throws PatchbayError BAD_INPUT when the passphrase is too short */
export function refuseWeak(passphrase: string): void {
  if (passphrase.length >= SHORTEST) return;
  throw new PatchbayError("BAD_INPUT", `A passphrase needs at least ${SHORTEST} characters.`, {
    help: "Take several words.",
  });
}
