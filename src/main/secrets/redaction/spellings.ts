import { unitsFor } from "./memory.ts";

/** Text as UTF-16 code units, in memory that can be wiped. */
export type Units = Uint16Array<ArrayBuffer>;

/**
 * The forms in which a value often appears in texts: as it is, inside JSON (once and twice), in a URL, in base64 alone
 * and as part of a longer text, in hex. Some may be equal. The caller wipes them.
 *
 * @param bytes the value in UTF-8
 */
export function spellingsOf(bytes: Uint8Array): Units[] {
  const plain = fromUtf8(bytes);
  const inJson = jsonOf(plain);
  const encoded = percent(bytes, UNRESERVED);
  return [
    plain,
    inJson,
    jsonOf(inJson),
    encoded,
    lowerHex(encoded),
    spacesAsPlus(encoded),
    percent(bytes, UNRESERVED + RESERVED),
    hexOf(bytes, "0123456789abcdef"),
    hexOf(bytes, "0123456789ABCDEF"),
    ...inBase64(bytes),
  ];
}

/** UTF-16 code units of a text in UTF-8. */
export function fromUtf8(bytes: Uint8Array): Units {
  const units = unitsFor(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let point = more === 0 ? first : first & (0x3f >> more);
    for (let next = 1; next <= more; next += 1) point = (point << 6) | ((bytes[at + next] ?? 0) & 0x3f);
    at += more + 1;
    if (point > 0xffff) {
      units[length++] = 0xd800 + ((point - 0x10000) >> 10);
      units[length++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
    } else units[length++] = point;
  }
  return taken(units, length);
}

/** As `JSON.stringify` writes a text, without the quotes. */
function jsonOf(text: Units): Units {
  const units = unitsFor(text.length * 6);
  let length = 0;
  for (const unit of text) {
    const short = SHORT_ESCAPES.get(unit);
    if (short !== undefined) {
      units[length++] = BACKSLASH;
      units[length++] = short;
    } else if (unit < 0x20) {
      for (const letter of `\\u${unit.toString(16).padStart(4, "0")}`) units[length++] = letter.charCodeAt(0);
    } else units[length++] = unit;
  }
  return taken(units, length);
}

const BACKSLASH = 0x5c;
const SHORT_ESCAPES = new Map([
  [0x22, 0x22],
  [BACKSLASH, BACKSLASH],
  [8, 0x62],
  [12, 0x66],
  [10, 0x6e],
  [13, 0x72],
  [9, 0x74],
]);

const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";
const RESERVED = ";/?:@&=+$,#";

/** As `encodeURIComponent` and `encodeURI` write a text. */
function percent(bytes: Uint8Array, kept: string): Units {
  const units = unitsFor(bytes.length * 3);
  let length = 0;
  for (const byte of bytes) {
    if (byte < 0x80 && kept.includes(String.fromCharCode(byte))) units[length++] = byte;
    else {
      units[length++] = PERCENT;
      units[length++] = digit(byte >> 4, UPPER);
      units[length++] = digit(byte & 15, UPPER);
    }
  }
  return taken(units, length);
}

const PERCENT = 0x25;
const UPPER = "0123456789ABCDEF";

function lowerHex(encoded: Units): Units {
  const units = unitsFor(encoded.length);
  units.set(encoded);
  for (let at = 0; at < units.length; at += 1) {
    if (units[at] !== PERCENT) continue;
    for (const next of [at + 1, at + 2]) {
      const unit = units[next] ?? 0;
      if (unit >= 0x41 && unit <= 0x46) units[next] = unit + 0x20;
    }
  }
  return units;
}

function spacesAsPlus(encoded: Units): Units {
  const units = unitsFor(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const isSpace = encoded[at] === PERCENT && encoded[at + 1] === 0x32 && encoded[at + 2] === 0x30;
    units[length++] = isSpace ? 0x2b : (encoded[at] ?? 0);
    if (isSpace) at += 2;
  }
  return taken(units, length);
}

function hexOf(bytes: Uint8Array, digits: string): Units {
  const units = unitsFor(bytes.length * 2);
  bytes.forEach((byte, at) => {
    units[at * 2] = digit(byte >> 4, digits);
    units[at * 2 + 1] = digit(byte & 15, digits);
  });
  return units;
}

function digit(value: number, digits: string): number {
  return digits.charCodeAt(value);
}

/** Shorter pieces of base64 (in characters) are left out: they would match parts of other texts. */
const SHORTEST_PIECE = 8;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * The value in base64: encoded alone, and as part of a longer text. Base64 turns three bytes into four characters, so
 * inside a longer text there are three possible positions, and the first and last characters depend on the neighbouring
 * bytes and are cut off. Both alphabets.
 */
function inBase64(bytes: Uint8Array): Units[] {
  return ["+/", "-_"].flatMap((last) => {
    const alphabet = BASE64 + last;
    const pieces = [0, 1, 2].map((before) => {
      const from = Math.ceil((before * 8) / 6);
      return base64(bytes, before, alphabet, from, Math.floor(((before + bytes.length) * 8) / 6));
    });
    const alone = base64(bytes, 0, alphabet, 0, Math.ceil((bytes.length * 8) / 6));
    return [alone, ...pieces.filter((piece) => piece.length >= SHORTEST_PIECE)];
  });
}

/** The characters `from` to `to` (excluded) of the base64 of so many zero bytes `before`, and then these bytes. */
function base64(bytes: Uint8Array, before: number, alphabet: string, from: number, to: number): Units {
  const units = unitsFor(Math.max(0, to - from));
  const byteAt = (at: number) => (at < before ? 0 : (bytes[at - before] ?? 0));
  for (let at = from; at < to; at += 1) {
    const bit = at * 6;
    const pair = (byteAt(bit >> 3) << 8) | byteAt((bit >> 3) + 1);
    units[at - from] = alphabet.charCodeAt((pair >> (10 - (bit & 7))) & 63);
  }
  return units;
}

/** The first units, in memory of their own; the rest of the memory is wiped. */
function taken(units: Units, length: number): Units {
  const result = unitsFor(length);
  result.set(units.subarray(0, length));
  units.fill(0);
  return result;
}
