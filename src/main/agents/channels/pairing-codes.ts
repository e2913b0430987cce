import { createHash } from "node:crypto";
import type { Ids } from "../../base/ids.ts";

/** Letters and digits that are not taken for each other when they are read out or typed from a screen. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 6;

/** A new code, such as `7K4-2MD`: one of 729 million. It tells nothing of the id that it is made of. */
export function newCode(ids: Ids): string {
  const digest = createHash("sha256").update(ids.next()).digest();
  const letters = Array.from(
    { length: LENGTH },
    (_, index) => ALPHABET[digest.readUInt32BE(index * 4) % ALPHABET.length],
  ).join("");
  return inParts(letters);
}

/** A code as somebody typed it, in the form in which codes are kept. */
export function codeOf(typed: string): string {
  return inParts(typed.toUpperCase().replace(/[^A-Z0-9]/g, ""));
}

const inParts = (letters: string) => `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
