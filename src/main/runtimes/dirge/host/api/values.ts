import {
  JArray,
  JBuffer,
  Kw,
  kw,
  Struct,
  Sym,
  Table,
  Tuple,
  toBytes,
  toText,
  type Value,
} from "@patchbay/janet";
import { textOf } from "@patchbay/janet/parts";
import { isObject } from "../../../../../contract/is-object.ts";
import { DEEPEST, isDeepJson } from "../../json-depth.ts";

/** The text of a Janet string; undefined for everything else, buffers and keywords too. */
export function textAt(args: readonly Value[], at: number): string | undefined {
  const value = args[at] ?? null;
  return typeof value === "string" ? toText(value) : undefined;
}

/** The text of a string, a symbol, a keyword or a buffer. */
export function wordAt(args: readonly Value[], at: number): string | undefined {
  const value = args[at] ?? null;
  if (typeof value === "string") return toText(value);
  if (value instanceof Sym || value instanceof Kw) return toText(value.name);
  return value instanceof JBuffer ? toText(value.text()) : undefined;
}

/** The items of an array or a tuple; undefined for everything else. */
export function itemsAt(args: readonly Value[], at: number): readonly Value[] | undefined {
  const value = args[at] ?? null;
  return value instanceof JArray || value instanceof Tuple ? value.items : undefined;
}

/** A table with keyword keys. */
export function keyed(fields: Record<string, Value>): Table {
  const table = new Table();
  for (const [name, value] of Object.entries(fields)) table.put(kw(name), value);
  return table;
}

/**
 * A JSON value as plugins see it: objects are tables with string keys, arrays are arrays.
 * @param nothing what stands for null
 */
export function fromJson(json: unknown, nothing: Value = null): Value {
  if (json === null || json === undefined) return nothing;
  if (typeof json === "string") return toBytes(json);
  if (typeof json === "number" || typeof json === "boolean") return json;
  if (Array.isArray(json)) return new JArray(json.map((item) => fromJson(item, nothing)));
  const table = new Table();
  if (isObject(json))
    for (const [name, value] of Object.entries(json)) table.put(toBytes(name), fromJson(value, nothing));
  return table;
}

/** Parsed JSON; undefined for what is none, and for what is nested so deeply that nobody could hand it on. */
export function parsedJson(text: string): unknown {
  try {
    return isDeepJson(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A Janet value as JSON: names, texts and everything without a form of its own as text. */
export function toJson(value: Value, depth = 0): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (depth > DEEPEST) return null;
  if (value instanceof JArray || value instanceof Tuple)
    return value.items.map((item) => toJson(item, depth + 1));
  if (value instanceof Table || value instanceof Struct) {
    const fields: [string, unknown][] = [];
    for (let slot = 0; slot < value.slots; slot += 1)
      if (value.liveAt(slot))
        fields.push([toText(textOf(value.keyAt(slot))), toJson(value.valueAt(slot), depth + 1)]);
    return Object.fromEntries(fields);
  }
  return toText(textOf(value));
}
