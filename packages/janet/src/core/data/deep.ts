import { equals } from "../../values/equality.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { type Dictionary, Struct, Table } from "../../values/tables.ts";
import { typeRank } from "../../values/types.ts";
import type { Value } from "../../values/value.ts";
import { spendWork } from "../../values/work.ts";
import type { Registrar } from "../registrar.ts";

/** Comparison by content. */
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
}

/** Whether two values of one type hold the same, all the way down; prototypes do not count. */
export function deepEquals(a: Value, b: Value): boolean {
  spendWork(1);
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
