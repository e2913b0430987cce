import { Abstract } from "../abstract.ts";
import { identityOf } from "../equality.ts";
import { Kw, Sym } from "../names.ts";
import { Tuple } from "../sequences.ts";
import { Struct } from "../tables.ts";
import { typeRank } from "../types.ts";
import type { Value } from "../value.ts";
import { spendWork } from "../work.ts";

/**
 * Janet's total order (`cmp`): -1, 0 or 1. Values of different types are ordered by their types; tuples, structs and some abstract
 * values by content; other mutable values and functions by when they were first compared or hashed.
 */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : 1;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : 1;
  const rank = typeRank(a);
  const otherRank = typeRank(b);
  if (rank !== otherRank) return rank < otherRank ? -1 : 1;
  if (typeof a === "boolean") return a ? 1 : -1;
  if (a instanceof Sym || a instanceof Kw) return a.name < (b as Sym).name ? -1 : 1;
  if (a instanceof Tuple) return compareTuples(a, b as Tuple);
  if (a instanceof Struct) return compareStructs(a, b as Struct);
  if (a instanceof Abstract) return compareAbstracts(a, b as Abstract);
  return identityOf(a as object) < identityOf(b as object) ? -1 : 1;
}

/** `<`, `<=`, `>`, `>=` of two values: of numbers as in C (NaN is in no order), of others by {@link compareValues}. */
export function less(a: Value, b: Value): boolean {
  return typeof a === "number" && typeof b === "number" ? a < b : compareValues(a, b) < 0;
}
export function lessOrEqual(a: Value, b: Value): boolean {
  return typeof a === "number" && typeof b === "number" ? a <= b : compareValues(a, b) <= 0;
}
export function greater(a: Value, b: Value): boolean {
  return typeof a === "number" && typeof b === "number" ? a > b : compareValues(a, b) > 0;
}
export function greaterOrEqual(a: Value, b: Value): boolean {
  return typeof a === "number" && typeof b === "number" ? a >= b : compareValues(a, b) >= 0;
}

function compareTuples(a: Tuple, b: Tuple): number {
  if (a.bracketed !== b.bracketed) return a.bracketed ? 1 : -1;
  spendWork(1);
  const shared = Math.min(a.items.length, b.items.length);
  for (let at = 0; at < shared; at++) {
    const order = compareValues(a.items[at] as Value, b.items[at] as Value);
    if (order !== 0) return order;
  }
  return Math.sign(a.items.length - b.items.length);
}

/** By size, then by the sorted keys and what stands under them, then by prototype. */
function compareStructs(a: Struct, b: Struct): number {
  if (a.size !== b.size) return a.size < b.size ? -1 : 1;
  spendWork(a.size);
  const keys = sortedKeys(a);
  const otherKeys = sortedKeys(b);
  for (const [at, key] of keys.entries()) {
    const otherKey = otherKeys[at] as Value;
    const order = compareValues(key, otherKey) || compareValues(a.rawGet(key), b.rawGet(otherKey));
    if (order !== 0) return order;
  }
  return compareValues(a.proto, b.proto);
}

function sortedKeys(struct: Struct): Value[] {
  const keys: Value[] = [];
  for (let slot = 0; slot < struct.slots; slot++) if (struct.liveAt(slot)) keys.push(struct.keyAt(slot));
  return keys.sort(compareValues);
}

function compareAbstracts(a: Abstract, b: Abstract): number {
  if (a.type !== b.type) return a.type.name < b.type.name ? -1 : 1;
  if (a.type.compare) return Math.sign(a.type.compare(a.data, b.data));
  return identityOf(a) < identityOf(b) ? -1 : 1;
}
