import { compareValues } from "../values/operators.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { type Dictionary, Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";

/** The pairs of a dictionary in the order in which it prints: by key, and those of no order as they were put. */
export function sortedPairs(dictionary: Dictionary): [Value, Value][] {
  const pairs: [Value, Value][] = [];
  for (let slot = 0; slot < dictionary.slots; slot++)
    if (dictionary.liveAt(slot)) pairs.push([dictionary.keyAt(slot), dictionary.valueAt(slot)]);
  return pairs.sort(([a], [b]) => compareValues(a, b));
}

/** Whether a value holds others. */
export function isCollection(value: Value): value is JArray | Tuple | Dictionary {
  return (
    value instanceof JArray || value instanceof Tuple || value instanceof Table || value instanceof Struct
  );
}
