import { show } from "../../print/describe.ts";
import { Kw, Sym } from "../../values/names.ts";
import { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { isInt64 } from "../math/int64.ts";

/** The bytes of a string, symbol, keyword or buffer; null for any other value. */
export function bytesOf(value: Value): string | null {
  if (typeof value === "string") return value;
  if (value instanceof Sym || value instanceof Kw) return value.name;
  return value instanceof JBuffer ? value.text() : null;
}

/** What `string` makes of a value: the bytes of what has bytes, nothing for nil, digits of integers, a description of the rest. */
export function textOf(value: Value): string {
  if (value === null) return "";
  if (isInt64(value)) return String(value.data);
  return bytesOf(value) ?? show(value);
}
