import { Abstract } from "./abstract.ts";
import { Tuple } from "./sequences.ts";
import type { Struct } from "./tables.ts";
import type { Value } from "./value.ts";
import { spendWork } from "./work.ts";

/** Janet's `=` of two values: tuples, structs and some abstract values by content, all else by identity; NaN equals nothing. */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a instanceof Tuple) {
    if (!(b instanceof Tuple) || a.bracketed !== b.bracketed || a.items.length !== b.items.length)
      return false;
    if (hashOf(a) !== hashOf(b)) return false;
    spendWork(a.items.length);
    return a.items.every((item, at) => equals(item, b.items[at] as Value));
  }
  if (isStruct(a)) {
    if (!isStruct(b) || a.size !== b.size || hashOf(a) !== hashOf(b)) return false;
    spendWork(a.size);
    if (a.proto !== b.proto && !(a.proto && b.proto && equals(a.proto, b.proto))) return false;
    for (let slot = 0; slot < a.slots; slot++) {
      if (a.liveAt(slot) && !equals(a.valueAt(slot), b.rawGet(a.keyAt(slot)))) return false;
    }
    return true;
  }
  if (a instanceof Abstract && b instanceof Abstract && a.type === b.type)
    return a.type.equals?.(a.data, b.data) ?? false;
  return false;
}

/** Structs are told by their mark: they themselves are built on what stands here. */
function isStruct(value: Value): value is Struct {
  return typeof value === "object" && (value as Partial<Struct> | null)?.comparedByContent === true;
}

let nextIdentity = 1;
const identities = new WeakMap<object, number>();

/** A 32-bit hash; equal values have equal ones. Stable within one process only. */
export function hashOf(value: Value): number {
  switch (typeof value) {
    case "boolean":
      return value ? 2 : 1;
    case "number":
      return hashNumber(value);
    case "string":
      return hashText(value);
  }
  if (value === null) return 0;
  if (value instanceof Tuple) {
    if (value.hash === 0) {
      let hash = value.bracketed ? 7 : 33;
      for (const item of value.items) hash = (Math.imul(hash, 31) + hashOf(item)) | 0;
      value.hash = hash || 1;
    }
    return value.hash;
  }
  if (isStruct(value)) {
    if (value.hash === 0) {
      // The order of keys must not matter.
      let hash = value.proto ? hashOf(value.proto) : 77;
      for (let slot = 0; slot < value.slots; slot++) {
        if (value.liveAt(slot)) {
          hash =
            (hash + Math.imul(hashOf(value.keyAt(slot)), 31) + Math.imul(hashOf(value.valueAt(slot)), 17)) |
            0;
        }
      }
      value.hash = hash || 1;
    }
    return value.hash;
  }
  if (value instanceof Abstract && value.type.hash) return value.type.hash(value.data);
  return Math.imul(identityOf(value), 0x9e3779b1) | 0;
}

/** A number of this object's own, given when it is first asked for. */
export function identityOf(value: object): number {
  let identity = identities.get(value);
  if (identity === undefined) {
    identity = nextIdentity++;
    identities.set(value, identity);
  }
  return identity;
}

function hashText(text: string): number {
  let hash = 5381;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 33) + text.charCodeAt(at)) | 0;
  return hash;
}

const double = new DataView(new ArrayBuffer(8));
function hashNumber(value: number): number {
  double.setFloat64(0, value === 0 ? 0 : value);
  return (Math.imul(double.getInt32(0), 31) ^ double.getInt32(4)) | 0;
}
