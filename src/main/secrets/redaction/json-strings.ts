import { memoryFor } from "./memory.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Calls `add` with the bytes (UTF-8) of the texts in a JSON document, keys excepted, without making a string of any.
 * The bytes are wiped after the call.
 *
 * @param keys only texts that are the value of one of these keys, at any depth; null: all
 */
export function addJsonStrings(
  json: Uint8Array,
  keys: readonly string[] | null,
  add: (bytes: Uint8Array) => void,
): void {
  let key = "";
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] !== QUOTE) continue;
    const end = endOf(json, at + 1);
    const bytes = unescaped(json.subarray(at + 1, end));
    at = end;
    if (isKey(json, end + 1)) key = Buffer.from(bytes).toString();
    else if (keys === null || keys.includes(key)) add(bytes);
    bytes.fill(0);
  }
}

/** The position of the quote that ends a text. */
function endOf(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

function isKey(json: Uint8Array, from: number): boolean {
  let at = from;
  while (at < json.length && (json[at] ?? 0) <= 0x20) at += 1;
  return json[at] === COLON;
}

const SHORT = new Map([..."bfnrt"].map((letter, at) => [letter.charCodeAt(0), [8, 12, 10, 13, 9][at] ?? 0]));
const LETTER_U = 0x75;

function unescaped(text: Uint8Array): Uint8Array {
  const bytes = memoryFor(text.length);
  let length = 0;
  let high = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte !== BACKSLASH) bytes[length++] = byte;
    else {
      at += 1;
      const letter = text[at] ?? 0;
      if (letter !== LETTER_U) bytes[length++] = SHORT.get(letter) ?? letter;
      else {
        const unit = Number.parseInt(Buffer.from(text.subarray(at + 1, at + 5)).toString("latin1"), 16);
        at += 4;
        if (unit >= 0xd800 && unit < 0xdc00) high = unit;
        else {
          const isLow = unit >= 0xdc00 && unit < 0xe000 && high !== 0;
          const point = isLow ? 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00) : unit;
          high = 0;
          length = putUtf8(bytes, length, point);
        }
      }
    }
  }
  const result = memoryFor(length);
  result.set(bytes.subarray(0, length));
  bytes.fill(0);
  return result;
}

/** Writes a character; returns the position after it. An escape is never shorter than its character. */
function putUtf8(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  bytes[at] = ((0xff00 >> (more + 1)) & 0xff) | (point >> (6 * more));
  for (let next = 1; next <= more; next += 1) {
    bytes[at + next] = 0x80 | ((point >> (6 * (more - next))) & 0x3f);
  }
  return at + more + 1;
}
