import { Kw, Sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { type Dictionary, Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { typeName } from "./describe.ts";

const order = [
  "number",
  "nil",
  "boolean",
  "fiber",
  "string",
  "symbol",
  "keyword",
  "array",
  "tuple",
  "table",
  "struct",
  "buffer",
  "function",
  "cfunction",
];

/** The pairs of a dictionary in the order in which it prints: by key, and those of no order as they were put. */
export function sortedPairs(dictionary: Dictionary): [Value, Value][] {
  const pairs: [Value, Value][] = [];
  for (let slot = 0; slot < dictionary.slots; slot++)
    if (dictionary.liveAt(slot)) pairs.push([dictionary.keyAt(slot), dictionary.valueAt(slot)]);
  return pairs.sort(([a], [b]) => compareKeys(a, b));
}

function compareKeys(a: Value, b: Value): number {
  const kind = kindOf(a) - kindOf(b);
  if (kind !== 0) return kind;
  if (typeof a === "number" || typeof a === "boolean") return Number(a) - Number(b);
  if (typeof a === "string") return compareText(a, b as string);
  if (a instanceof Sym || a instanceof Kw) return compareText(a.name, (b as Sym).name);
  if (a instanceof Tuple && b instanceof Tuple) return compareItems(a, b);
  return 0;
}

function kindOf(value: Value): number {
  const at = order.indexOf(typeName(value));
  return at < 0 ? order.length : at;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareItems(a: Tuple, b: Tuple): number {
  if (a.bracketed !== b.bracketed) return a.bracketed ? 1 : -1;
  for (let at = 0; at < Math.min(a.items.length, b.items.length); at++) {
    const compared = compareKeys(a.items[at] as Value, b.items[at] as Value);
    if (compared !== 0) return compared;
  }
  return a.items.length - b.items.length;
}

/** Whether a value holds others. */
export function isCollection(value: Value): value is JArray | Tuple | Dictionary {
  return (
    value instanceof JArray || value instanceof Tuple || value instanceof Table || value instanceof Struct
  );
}

/** The bytes of a string, symbol, keyword or buffer; undefined for all else. */
export function bytesOf(value: Value): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof Sym || value instanceof Kw) return value.name;
  return value instanceof JBuffer ? value.text() : undefined;
}
