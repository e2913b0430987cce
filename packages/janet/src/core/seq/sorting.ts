import { compareValues, inValue, lengthOf, putValue } from "../../values/operators.ts";
import { JArray } from "../../values/sequences.ts";
import { truthy, type Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import type { Signal } from "../../vm/signal.ts";
import { isCall } from "../../vm/step.ts";
import type { Vm } from "../../vm/vm.ts";
import { indexedAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";

type Sorting = Generator<Signal, Value[], Value>;

/** Sorting. A comparator is any function that tells whether its first argument comes before its second. */
export function installSorting(core: Registrar): void {
  core.gen(
    "sort",
    1,
    2,
    "(sort ind &opt before?)",
    "Sorts an array or buffer in place, by < or the given comparator, and gives it.",
    function* ([holder = null, before = null], vm) {
      return yield* sortInPlace(vm, holder, before);
    },
  );
  core.gen(
    "sort-by",
    2,
    2,
    "(sort-by f ind)",
    "Sorts in place by what f gives for each value, and gives the collection.",
    function* ([f = null, holder = null], vm) {
      const values = itemsOf(vm, holder);
      return putBack(holder, yield* sortedBy(vm, values, f));
    },
  );
  core.gen(
    "sorted",
    1,
    2,
    "(sorted ind &opt before?)",
    "A new array of the values in order.",
    function* (args, vm) {
      return yield* sortInPlace(vm, new JArray(indexedAt(args, 0).slice()), args[1] ?? null);
    },
  );
  core.gen(
    "sorted-by",
    2,
    2,
    "(sorted-by f ind)",
    "A new array of the values in the order of what f gives for each.",
    function* ([f = null, source = null], vm) {
      return new JArray(yield* sortedBy(vm, indexedAt([source], 0), f));
    },
  );
}

function* sortInPlace(vm: Vm, holder: Value, before: Value): Generator<Signal, Value, Value> {
  const values = itemsOf(vm, holder);
  vm.spend(values.length);
  if (before === null) return putBack(holder, values.sort(compareValues));
  return putBack(holder, yield* mergeSort(vm, values, before));
}

/** What stands at 0, 1, 2, … of a collection. */
function itemsOf(vm: Vm, holder: Value): Value[] {
  if (holder instanceof JArray) return holder.items.slice();
  const length = lengthOf(holder, vm) as number;
  return Array.from({ length }, (_, at) => inValue(holder, at));
}

function putBack(holder: Value, values: readonly Value[]): Value {
  if (values.length > 1) for (const [at, value] of values.entries()) putValue(holder, at, value);
  return holder;
}

function* sortedBy(vm: Vm, values: readonly Value[], f: Value): Sorting {
  // Nothing is compared, so f is not asked.
  if (values.length < 2) return values.slice();
  const keyed: { value: Value; key: Value }[] = [];
  for (const value of values) {
    vm.spend(1);
    const step = invoke(vm, f, [value]);
    keyed.push({ value, key: isCall(step) ? yield* step : step });
  }
  return keyed.sort((a, b) => compareValues(a.key, b.key)).map(({ value }) => value);
}

/** Stable, and content with a comparator that contradicts itself. */
function* mergeSort(vm: Vm, values: Value[], before: Value): Sorting {
  if (values.length < 2) return values;
  const middle = values.length >> 1;
  const left = yield* mergeSort(vm, values.slice(0, middle), before);
  const right = yield* mergeSort(vm, values.slice(middle), before);
  const merged: Value[] = [];
  let [at, to] = [0, 0];
  while (at < left.length && to < right.length) {
    vm.spend(1);
    const step = invoke(vm, before, [right[to] as Value, left[at] as Value]);
    merged.push((truthy(isCall(step) ? yield* step : step) ? right[to++] : left[at++]) as Value);
  }
  while (at < left.length) merged.push(left[at++] as Value);
  while (to < right.length) merged.push(right[to++] as Value);
  return merged;
}
