import { show } from "../../print/describe.ts";
import { Fiber } from "../../vm/fiber.ts";
import { panic } from "../../vm/janet-error.ts";
import { Abstract } from "../abstract.ts";
import { Kw, Sym } from "../names.ts";
import { JArray, JBuffer, Tuple } from "../sequences.ts";
import { Struct, Table } from "../tables.ts";
import { isInt32, typeName } from "../types.ts";
import type { Value } from "../value.ts";

/** The largest index that can be put, plus one, as Janet's words name it. */
const INDEX_LIMIT = 2_147_483_646;
/** Arrays and buffers are not made longer than this by one `put`: a wrong index must not take all memory. */
const GROWTH_LIMIT = 1 << 24;

/** `get`: nil for whatever is not there, and for values that hold nothing. */
export function getValue(ds: Value, key: Value): Value {
  if (ds instanceof Table || ds instanceof Struct) return ds.get(key);
  if (ds instanceof JArray || ds instanceof Tuple)
    return typeof key === "number" ? (ds.items[key] ?? null) : null;
  if (ds instanceof Abstract) return ds.type.get?.(ds.data, key) ?? null;
  if (ds instanceof Fiber) return key === 0 ? ds.last : null;
  const length = byteLength(ds);
  return length >= 0 && isIndex(key, length) ? byteAt(ds, key) : null;
}

/** `in`, and the lookup of a call `(ds key)`: what is out of range is an error, an absent key of a dictionary is nil. */
export function inValue(ds: Value, key: Value): Value {
  if (ds instanceof Table || ds instanceof Struct) return ds.get(key);
  if (ds instanceof JArray || ds instanceof Tuple)
    return isIndex(key, ds.items.length) ? (ds.items[key] as Value) : outOfRange(ds, key, ds.items.length);
  if (ds instanceof Abstract) {
    if (!ds.type.get) panic(`no getter for ${show(ds)} `);
    const value = ds.type.get(ds.data, key);
    return value === undefined ? panic(`key ${show(key)} not found in ${show(ds)} `) : value;
  }
  if (ds instanceof Fiber) return key === 0 ? ds.last : panic(`expected key 0, got ${show(key)}`);
  const length = byteLength(ds);
  if (length < 0) return notLengthable(ds);
  return isIndex(key, length) ? byteAt(ds, key) : outOfRange(ds, key, length);
}

/** `get` with a default, which also stands for a nil that is there. */
export function getOr(ds: Value, key: Value, otherwise: Value): Value {
  const value = getValue(ds, key);
  return value === null ? otherwise : value;
}

/** `in` with a default, which helps for dictionaries alone: elsewhere what is absent is an error before. */
export function inOr(ds: Value, key: Value, otherwise: Value): Value {
  const value = inValue(ds, key);
  return value === null ? otherwise : value;
}

/** `put`; gives `ds`. An array or buffer grows up to the index. */
export function putValue(ds: Value, key: Value, value: Value): Value {
  if (ds instanceof Table) {
    if (key !== null && !Number.isNaN(key)) ds.put(key, value);
  } else if (ds instanceof JArray) {
    const index = indexToPut(ds, key);
    if (index > ds.items.length + GROWTH_LIMIT) panic("out of memory");
    while (ds.items.length < index) ds.items.push(null);
    ds.items[index] = value;
  } else if (ds instanceof JBuffer) {
    const index = indexToPut(ds, key);
    if (!isInt32(value)) panic(`can only put integers in buffers, got ${show(value)}`);
    if (index >= ds.length) {
      if (index > ds.length + GROWTH_LIMIT) panic("out of memory");
      ds.ensure(index + 1 - ds.length);
      ds.bytes.fill(0, ds.length, index);
      ds.length = index + 1;
    }
    ds.bytes[index] = value & 0xff;
  } else if (ds instanceof Abstract) {
    if (!ds.type.put) panic(`no setter for ${show(ds)} `);
    ds.type.put(ds.data, key, value);
  } else panic(`expected array, table or buffer, got ${show(ds)}`);
  return ds;
}

/**
 * `next`: the key after `key`, the first one for nil; nil at the end. A fiber is resumed by `next`
 * and so is not handled here but in `vm/fibers.ts`. After a key that was just removed the iteration goes on; after one that was never there it starts again.
 */
export function nextKey(ds: Value, key: Value): Value {
  if (ds instanceof Table || ds instanceof Struct) return ds.keyAfter(key);
  if (ds instanceof Abstract) return ds.type.next ? ds.type.next(ds.data, key) : null;
  const length = ds instanceof JArray || ds instanceof Tuple ? ds.items.length : byteLength(ds);
  if (length < 0) return panic(`expected iterable type, got ${show(ds)}`);
  if (key === null) return length > 0 ? 0 : null;
  return isInt32(key) && isIndex(key + 1, length) ? key + 1 : null;
}

/** How many bytes a string, symbol, keyword or buffer has; -1 for any other value. */
/** Bytes of a text; -1 for what is none. */
export function byteLength(value: Value): number {
  if (typeof value === "string" || value instanceof JBuffer) return value.length;
  return value instanceof Kw || value instanceof Sym ? value.name.length : -1;
}

/** A byte of a value that has them, within its length. */
function byteAt(value: Value, index: number): number {
  if (typeof value === "string") return value.charCodeAt(index);
  if (value instanceof JBuffer) return value.bytes[index] as number;
  return (value as Sym | Kw).name.charCodeAt(index);
}

function isIndex(key: Value, length: number): key is number {
  return typeof key === "number" && key >= 0 && key < length && Number.isInteger(key);
}

function indexToPut(ds: Value, key: Value): number {
  return isIndex(key, INDEX_LIMIT) ? key : outOfRange(ds, key, INDEX_LIMIT);
}

function outOfRange(ds: Value, key: Value, length: number): never {
  return panic(`expected integer key for ${typeName(ds)} in range [0, ${length}), got ${show(key)}`);
}

export function notLengthable(value: Value): never {
  return panic(`expected string, symbol, keyword, array, tuple, table, struct or buffer, got ${show(value)}`);
}
