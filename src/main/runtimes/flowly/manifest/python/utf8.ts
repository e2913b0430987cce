import { PyError } from "./values.ts";

/**
 * The text of a file as Python's `read_text("utf-8")` gives it: a mark at the beginning stays, each line ends with "\n".
 * @throws PyError UnicodeDecodeError
 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, "\n");
  } catch {
    const [at, reason] = firstFault(bytes);
    const byte = (bytes[at] ?? 0).toString(16).padStart(2, "0");
    throw new PyError(
      "UnicodeDecodeError",
      `'utf-8' codec can't decode byte 0x${byte} in position ${at}: ${reason}`,
    );
  }
}

function firstFault(bytes: Uint8Array): [at: number, reason: string] {
  let at = 0;
  while (at < bytes.length) {
    const length = lengthOf(bytes, at);
    if (length === 0) return [at, "invalid start byte"];
    for (let more = 1; more < length; more += 1) {
      if (at + more >= bytes.length) return [at, "unexpected end of data"];
      if (!continues(bytes, at, more)) return [at, "invalid continuation byte"];
    }
    at += length;
  }
  return [0, "invalid data"];
}

/** How many bytes a character has by its first one; 0 for a byte that begins none. */
function lengthOf(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The second byte is limited further after four first ones: no detours, no halves of pairs, nothing above U+10FFFF. */
function continues(bytes: Uint8Array, at: number, more: number): boolean {
  const byte = bytes[at + more] ?? 0;
  if (byte < 0x80 || byte > 0xbf) return false;
  if (more > 1) return true;
  const first = bytes[at];
  if (first === 0xe0) return byte >= 0xa0;
  if (first === 0xed) return byte < 0xa0;
  if (first === 0xf0) return byte >= 0x90;
  return first !== 0xf4 || byte < 0x90;
}
