import { makeS64, makeU64 } from "../core/math/int64.ts";
import { scanNumber } from "../reader/numbers.ts";
import type { Value } from "../values/value.ts";

/** The number that a text is in a base (0: as Janet's reader would read it); undefined when it is none. */
export function scanInBase(text: string, base: number): number | undefined {
  const read = scanNumber(text, base);
  return typeof read === "number" ? read : undefined;
}

/** An integer of up to 8 bytes; more than 6 make a boxed one. `how`: 1 for signed, plus 2 for the highest byte first. */
export function readInteger(bytes: string, how: number): Value {
  const width = bytes.length;
  const signed = (how & 1) === 1;
  let value = 0n;
  for (let at = 0; at < width; at++) {
    const byte = bytes.charCodeAt((how & 2) === 2 ? at : width - 1 - at);
    value = (value << 8n) | BigInt(byte);
  }
  if (signed && width > 0) value = BigInt.asIntN(width * 8, value);
  if (width <= 6) return Number(value);
  return signed ? makeS64(value) : makeU64(value);
}
