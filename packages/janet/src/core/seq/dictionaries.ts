import { getValue, lengthOf, putValue } from "../../values/operators.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import { isCall } from "../../vm/step.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";
import { pairsOf, valuesOf } from "./cursor.ts";

const any = Number.POSITIVE_INFINITY;

/** Keys and values, merging, and changes deep inside. */
export function installDictionaries(core: Registrar): void {
  core.gen("keys", 1, 1, "(keys x)", "An array of all keys.", function* ([ds = null], vm) {
    return new JArray((yield* pairsOf(vm, ds)).map(([key]) => key));
  });
  core.gen("values", 1, 1, "(values x)", "An array of all values.", function* ([ds = null], vm) {
    return new JArray((yield* pairsOf(vm, ds)).map(([, value]) => value));
  });
  core.gen(
    "pairs",
    1,
    1,
    "(pairs x)",
    "An array of tuples: each key with its value.",
    function* ([ds = null], vm) {
      return new JArray((yield* pairsOf(vm, ds)).map((pair) => new Tuple(pair)));
    },
  );
  core.gen("kvs", 1, 1, "(kvs dict)", "An array of keys and values in turn.", function* ([ds = null], vm) {
    return new JArray((yield* pairsOf(vm, ds)).flat());
  });
  core.gen(
    "merge-into",
    1,
    any,
    "(merge-into tab & colls)",
    "Puts all keys and values of the collections into a table and gives it; later ones win.",
    function* ([into = null, ...sources], vm) {
      for (const source of sources)
        for (const [key, value] of yield* pairsOf(vm, source)) putValue(into, key, value);
      return into;
    },
  );
  core.gen(
    "merge",
    0,
    any,
    "(merge & colls)",
    "A new table of all keys and values of the collections; later ones win.",
    function* (sources, vm) {
      const table = new Table();
      for (const source of sources)
        for (const [key, value] of yield* pairsOf(vm, source)) putValue(table, key, value);
      return table;
    },
  );
  core.gen(
    "get-in",
    2,
    3,
    "(get-in ds ks &opt dflt)",
    "The value that a path of keys leads to, or dflt.",
    function* ([ds = null, path = null, otherwise = null], vm) {
      let found = ds;
      for (const key of yield* valuesOf(vm, path)) {
        if (found === null) break;
        found = getValue(found, key);
      }
      return found ?? otherwise;
    },
  );
  core.fun(
    "put-in",
    3,
    3,
    "(put-in ds ks v)",
    "Puts a value where a path of keys leads; tables are made on the way. Gives ds.",
    ([ds = null, path = null, value = null], vm) => {
      const { holder, key } = follow(ds, path, vm);
      putValue(holder, key, value);
      return ds;
    },
  );
  core.gen(
    "update",
    3,
    any,
    "(update ds key func & args)",
    "Puts at a key what func gives for its old value and the arguments. Gives ds.",
    function* ([ds = null, key = null, func = null, ...args], vm) {
      const step = invoke(vm, func, [getValue(ds, key), ...args]);
      return putValue(ds, key, isCall(step) ? yield* step : step);
    },
  );
  core.gen(
    "update-in",
    3,
    any,
    "(update-in ds ks f & args)",
    "As update, where a path of keys leads; tables are made on the way. Gives ds.",
    function* ([ds = null, path = null, func = null, ...args], vm) {
      const { holder, key } = follow(ds, path, vm);
      const step = invoke(vm, func, [getValue(holder, key), ...args]);
      putValue(holder, key, isCall(step) ? yield* step : step);
      return ds;
    },
  );
}

function keysOf(path: Value, vm: Vm): readonly Value[] {
  if (path instanceof JArray || path instanceof Tuple) return path.items;
  const length = lengthOf(path, vm) as number;
  return Array.from({ length }, (_, at) => getValue(path, at));
}

/** What holds the end of a path, and the last key. */
function follow(ds: Value, path: Value, vm: Vm): { holder: Value; key: Value } {
  const keys = keysOf(path, vm);
  if (keys.length === 0) panic("expected at least 1 key in ks");
  let holder = ds;
  for (const key of keys.slice(0, -1)) {
    let inner = getValue(holder, key);
    if (inner === null) {
      inner = new Table();
      putValue(holder, key, inner);
    }
    holder = inner;
  }
  return { holder, key: keys.at(-1) as Value };
}
