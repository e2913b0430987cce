import { equals } from "../../values/equality.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { type Dictionary, PROTOTYPE_DEPTH, Struct, Table } from "../../values/tables.ts";
import { typeRank } from "../../values/types.ts";
import type { Value } from "../../values/value.ts";
import type { Registrar } from "../registrar.ts";

/** What looks at the whole of a structure: `deep=`, `freeze` and `thaw`. */
export function install(core: Registrar): void {
  core.fun(
    "deep=",
    2,
    2,
    "(deep= x y)",
    "As `=`, but compares arrays, tables and buffers by what they hold.",
    (args) => deepEquals(args[0] as Value, args[1] as Value),
  );
  core.fun(
    "deep-not=",
    2,
    2,
    "(deep-not= x y)",
    "The opposite of `deep=`.",
    (args) => !deepEquals(args[0] as Value, args[1] as Value),
  );
  core.fun(
    "freeze",
    1,
    1,
    "(freeze x)",
    "An immutable copy: tuples, structs and strings in place of arrays, tables and buffers, all the way down.",
    (args) => freeze(args[0] as Value),
  );
  core.fun(
    "thaw",
    1,
    1,
    "(thaw ds)",
    "A mutable copy: arrays, tables and buffers in place of tuples, structs and strings, all the way down.",
    (args) => thaw(args[0] as Value),
  );
}

export function deepEquals(a: Value, b: Value): boolean {
  if (typeRank(a) !== typeRank(b)) return false;
  if (a instanceof Tuple || a instanceof JArray) {
    const { items } = b as Tuple | JArray;
    return (
      a.items.length === items.length && a.items.every((item, at) => deepEquals(item, items[at] as Value))
    );
  }
  if (a instanceof Table || a instanceof Struct) {
    const other = b as Dictionary;
    if (a.size !== other.size) return false;
    for (let slot = 0; slot < a.slots; slot++)
      if (a.liveAt(slot) && !deepEquals(a.valueAt(slot), other.rawGet(a.keyAt(slot)))) return false;
    return true;
  }
  if (a instanceof JBuffer) return a.text() === (b as JBuffer).text();
  return equals(a, b);
}

function freeze(x: Value): Value {
  if (x instanceof JArray || x instanceof Tuple) return new Tuple(x.items.map(freeze));
  if (x instanceof JBuffer) return x.text();
  if (!(x instanceof Table || x instanceof Struct)) return x;
  const frozen = new Struct();
  eachEntry(x, (key, value) => frozen.put(freeze(key), freeze(value)));
  return frozen;
}

function thaw(x: Value): Value {
  if (x instanceof JArray || x instanceof Tuple) return new JArray(x.items.map(thaw));
  if (typeof x === "string") return JBuffer.of(x);
  if (!(x instanceof Table || x instanceof Struct)) return x;
  const thawed = new Table();
  eachEntry(x, (key, value) => thawed.put(thaw(key), thaw(value)));
  return thawed;
}

/** Its own entries and those of its prototypes that it does not hide. */
function eachEntry(of: Dictionary, visit: (key: Value, value: Value) => void): void {
  const seen = new Table();
  let left = PROTOTYPE_DEPTH;
  for (let from: Dictionary | null = of; from !== null && left-- > 0; from = from.proto)
    for (let slot = 0; slot < from.slots; slot++) {
      const key = from.liveAt(slot) ? from.keyAt(slot) : null;
      if (key === null || seen.find(key) >= 0) continue;
      seen.put(key, true);
      visit(key, from.valueAt(slot));
    }
}
