import { show } from "../../print/describe.ts";
import { equals } from "../../values/equality.ts";
import { kw, sym } from "../../values/names.ts";
import { divide, lengthOf, putValue } from "../../values/operators.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import { isCall } from "../../vm/step.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { cursorOf, pairsOf, Rows, valuesOf } from "./cursor.ts";
import { slicer } from "./slices.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions that arrange values anew. */
export function installGrouping(core: Registrar): void {
  core.gen(
    "group-by",
    2,
    2,
    "(group-by f ind)",
    "A table of arrays: the values by what f gives for them.",
    function* ([f = null, source = null], vm) {
      const groups = new Table();
      const at = cursorOf(source);
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const { value } = at;
        const step = invoke(vm, f, [value]);
        const key = isCall(step) ? yield* step : step;
        const group = groups.rawGet(key);
        if (group instanceof JArray) group.items.push(value);
        else putValue(groups, key, new JArray([value]));
      }
      return groups;
    },
  );
  core.gen(
    "partition-by",
    2,
    2,
    "(partition-by f ind)",
    "An array of arrays: runs of values for which f gives the same.",
    function* ([f = null, source = null], vm) {
      const parts: JArray[] = [];
      let last: Value = null;
      const at = cursorOf(source);
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const { value } = at;
        const step = invoke(vm, f, [value]);
        const key = isCall(step) ? yield* step : step;
        const part = parts.at(-1);
        if (part && equals(key, last)) part.items.push(value);
        else parts.push(new JArray([value]));
        last = key;
      }
      return new JArray(parts);
    },
  );
  core.gen(
    "frequencies",
    1,
    1,
    "(frequencies ind)",
    "A table that tells for each value how often it is there.",
    function* ([source = null], vm) {
      const counts = new Table();
      for (const value of yield* valuesOf(vm, source)) {
        vm.spend(1);
        putValue(counts, value, ((counts.rawGet(value) as number | null) ?? 0) + 1);
      }
      return counts;
    },
  );
  core.gen(
    "distinct",
    1,
    1,
    "(distinct xs)",
    "An array of the values without repetitions.",
    function* ([source = null], vm) {
      const seen = new Table();
      const results: Value[] = [];
      for (const value of yield* valuesOf(vm, source)) {
        vm.spend(1);
        if (seen.rawGet(value) !== null) continue;
        putValue(seen, value, true);
        results.push(value);
      }
      return new JArray(results);
    },
  );
  core.fun(
    "partition",
    2,
    2,
    "(partition n ind)",
    "An array of parts of n values each; the last may be shorter. Parts are tuples, or strings of a string.",
    ([size = null, source = null], vm) => partition(vm, size, source),
  );
  core.gen(
    "zipcoll",
    2,
    2,
    "(zipcoll ks vs)",
    "A table of the keys of one collection with the values of another.",
    function* ([keys = null, values = null], vm) {
      const table = new Table();
      const rows = new Rows([keys, values]);
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const [key = null, value = null] = rows.args();
        putValue(table, key, value);
      }
      return table;
    },
  );
  core.gen(
    "interleave",
    0,
    any,
    "(interleave & cols)",
    "An array of the first values of all collections, then of the second ones, up to the end of the shortest.",
    function* (sources, vm) {
      if (sources.length === 0) panic(`${show(mapcat(vm))} called with 1 argument, expected 2`);
      const rows = new Rows(sources);
      const results: Value[] = [];
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        results.push(...rows.args());
      }
      return new JArray(results);
    },
  );
  core.gen(
    "interpose",
    2,
    2,
    "(interpose sep ind)",
    "An array of the values with sep between them.",
    function* ([separator = null, source = null], vm) {
      const results: Value[] = [];
      for (const value of yield* valuesOf(vm, source)) {
        if (results.length > 0) results.push(separator);
        results.push(value);
      }
      return new JArray(results);
    },
  );
  core.gen(
    "invert",
    1,
    1,
    "(invert ds)",
    "A table with keys and values exchanged.",
    function* ([ds = null], vm) {
      const table = new Table();
      for (const [key, value] of yield* pairsOf(vm, ds)) putValue(table, value, key);
      return table;
    },
  );
  core.gen(
    "flatten-into",
    2,
    2,
    "(flatten-into into xs)",
    "Pushes all values of xs to an array; those of arrays and tuples in it instead of themselves.",
    function* ([into = null, source = null], vm) {
      return flatten(vm, into, yield* valuesOf(vm, source));
    },
  );
  core.gen(
    "flatten",
    1,
    1,
    "(flatten xs)",
    "An array of all values of xs; those of arrays and tuples in it instead of themselves.",
    function* ([source = null], vm) {
      return flatten(vm, new JArray(), yield* valuesOf(vm, source));
    },
  );
}

function flatten(vm: Vm, into: Value, values: readonly Value[]): Value {
  for (const value of values) {
    vm.spend(1);
    if (value instanceof JArray || value instanceof Tuple) flatten(vm, into, value.items);
    else if (into instanceof JArray) into.items.push(value);
    else badSlot([into], 0, "array");
  }
  return into;
}

function partition(vm: Vm, size: Value, source: Value): Value {
  const length = lengthOf(source, vm);
  const count = divide(length, size, vm);
  const parts = typeof count === "number" ? Math.ceil(count) : count;
  if (typeof parts !== "number" || !(parts >= 0 && parts <= 0x7fffffff))
    return badSlot([parts], 0, "non-negative 32 bit signed integer");
  const slice = slicer(source);
  const results: Value[] = [];
  let start = 0;
  const step = size as number;
  const total = length as number;
  while (start + step <= total) {
    vm.spend(1);
    results.push(slice(start, start + step));
    start += step;
  }
  if (start < total) results.push(slice(start, null));
  return new JArray(results);
}

function mapcat(vm: Vm): Value {
  return (vm.core.get(sym("mapcat")) as Table).get(kw("value"));
}
