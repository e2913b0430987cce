import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { z } from "zod";
import { KEY_BYTES, seal, sealedSchema, unseal } from "./sealing.ts";

/**
 * Something wrapped for the holder of a private key: sealed under a key that both sides agree on (X25519, HKDF-SHA-256).
 * `ephemeral`: the sender's public key for this once.
 */
export const wrappedSchema = z.object({ ephemeral: z.base64(), sealed: sealedSchema });
export type Wrapped = z.infer<typeof wrappedSchema>;

/** A new pair of keys, each 32 bytes. */
export function newRecipient(): { publicKey: Buffer; privateKey: Buffer } {
  const pair = generateKeyPairSync("x25519");
  return {
    publicKey: pair.publicKey.export({ format: "der", type: "spki" }).subarray(-KEY_BYTES),
    privateKey: pair.privateKey.export({ format: "der", type: "pkcs8" }).subarray(-KEY_BYTES),
  };
}

export function wrapFor(publicKey: Buffer, plain: Buffer, bound: string): Wrapped {
  const own = newRecipient();
  const key = agreed(own.privateKey, publicKey, own.publicKey);
  return { ephemeral: own.publicKey.toString("base64"), sealed: seal(key, plain, bound) };
}

/** @throws when it was wrapped for another key, or changed */
export function unwrapWith(privateKey: Buffer, { ephemeral, sealed }: Wrapped, bound: string): Buffer {
  const sender = Buffer.from(ephemeral, "base64");
  return unseal(agreed(privateKey, sender, sender), sealed, bound);
}

function agreed(privateKey: Buffer, publicKey: Buffer, ephemeral: Buffer): Buffer {
  const secret = diffieHellman({ privateKey: privateOf(privateKey), publicKey: publicOf(publicKey) });
  return Buffer.from(hkdfSync("sha256", secret, ephemeral, "patchbay vault", KEY_BYTES));
}

/** What stands before the 32 bytes in the encodings that Node reads. */
const PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex");
const SPKI = Buffer.from("302a300506032b656e032100", "hex");

function privateOf(raw: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, raw]), format: "der", type: "pkcs8" });
}

function publicOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, raw]), format: "der", type: "spki" });
}
