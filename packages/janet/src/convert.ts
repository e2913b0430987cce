import { Abstract } from "./values/abstract.ts";
import { fromArray, toBytes, toText } from "./values/bytes.ts";
import { Closure, Native } from "./values/functions.ts";
import { Kw, kw, Sym } from "./values/names.ts";
import { JArray, JBuffer, Tuple } from "./values/sequences.ts";
import { Struct, Table } from "./values/tables.ts";
import type { Value } from "./values/value.ts";
import { Fiber } from "./vm/fiber.ts";

/** How deep values may be nested. */
const DEPTH = 1_000;
/** How many values one may hold. Parts that are shared count as often as they are met, as each becomes one of its own. */
const MOST = 2_000_000;

/**
 * A Janet value of a JS one. Text becomes a string of UTF-8 bytes, `undefined` and `null` become nil, arrays become arrays, a `Map`
 * becomes a table with its own keys, a plain object a table with keywords as keys, a `Uint8Array` a buffer, a bigint a number.
 * A Janet value other than a string stays as it is; so do not convert a Janet string again.
 * @throws TypeError for symbols, functions (see `bind`) and values nested too deeply or in a circle
 */
export function fromJs(value: unknown, depth = 0): Value {
  if (depth > DEPTH) throw new TypeError("The value is nested too deeply.");
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") return toBytes(value);
  if (isJanet(value)) return value;
  if (Array.isArray(value)) return new JArray(value.map((item) => fromJs(item, depth + 1)));
  if (value instanceof Uint8Array) return JBuffer.of(fromArray(value));
  if (typeof value !== "object") throw new TypeError(`A ${typeof value} is no Janet value.`);
  const table = new Table();
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  for (const [key, item] of entries) {
    const name = value instanceof Map ? fromJs(key, depth + 1) : kw(toBytes(key as string));
    if (name !== null) table.put(name, fromJs(item, depth + 1));
  }
  return table;
}

/**
 * A JS value of a Janet one: nil is `null`, strings and buffers are text (bytes that are no UTF-8 become U+FFFD), keywords and
 * symbols are their names, arrays and tuples are arrays, tables and structs are objects with the names of their keys. Functions,
 * fibers and abstract values stay what they are.
 * @throws TypeError for values that are too large, nested too deeply or in a circle
 */
export function toJs(value: Value): unknown {
  return plainOf(value, 0, { left: MOST });
}

function plainOf(value: Value, depth: number, room: { left: number }): unknown {
  if (--room.left < 0) throw new TypeError("The value is too large.");
  if (depth > DEPTH) throw new TypeError("The value is nested too deeply.");
  if (typeof value === "string") return toText(value);
  if (value instanceof Kw || value instanceof Sym) return toText(value.name);
  if (value instanceof JBuffer) return toText(value.text());
  if (value instanceof JArray || value instanceof Tuple)
    return value.items.map((item) => plainOf(item, depth + 1, room));
  if (!(value instanceof Table || value instanceof Struct)) return value;
  const entries: [string, unknown][] = [];
  for (let slot = 0; slot < value.slots; slot++) {
    if (!value.liveAt(slot)) continue;
    entries.push([
      String(plainOf(value.keyAt(slot), depth + 1, room)),
      plainOf(value.valueAt(slot), depth + 1, room),
    ]);
  }
  return Object.fromEntries(entries);
}

function isJanet(value: unknown): value is Exclude<Value, null | boolean | number | string> {
  return [Sym, Kw, JArray, Tuple, Table, Struct, JBuffer, Closure, Native, Fiber, Abstract].some(
    (kind) => value instanceof kind,
  );
}
