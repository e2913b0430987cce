import type { Call } from "../../values/functions.ts";
import { compareValues, putValue } from "../../values/operators.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { prototypeChain, Struct, structOf, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { asCall } from "../../vm/step.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";

/** Functions that go through a value and the values within it. */
export function installWalking(core: Registrar): void {
  core.gen(
    "walk",
    2,
    2,
    "(walk f form)",
    "A data structure of the same kind with what f gives for each part; anything else as it is.",
    function* ([f = null, form = null], vm) {
      return yield* walk(vm, form, (part) => asCall(invoke(vm, f, [part])));
    },
  );
  core.gen(
    "postwalk",
    2,
    2,
    "(postwalk f form)",
    "Replaces each value by what f gives for it, inner values before those around them.",
    function* ([f = null, form = null], vm) {
      return yield* postwalk(vm, f, form);
    },
  );
  core.gen(
    "prewalk",
    2,
    2,
    "(prewalk f form)",
    "Replaces each value by what f gives for it, outer values before those within them.",
    function* ([f = null, form = null], vm) {
      return yield* prewalk(vm, f, form);
    },
  );
  core.fun(
    "freeze",
    1,
    1,
    "(freeze x)",
    "An immutable copy: arrays become tuples, tables structs and buffers strings, at all depths.",
    ([x = null], vm) => freeze(vm, x),
  );
  core.fun(
    "thaw",
    1,
    1,
    "(thaw ds)",
    "A mutable copy: tuples become arrays, structs tables and strings buffers, at all depths.",
    ([x = null], vm) => thaw(vm, x),
  );
}

function* walk(vm: Vm, form: Value, change: (part: Value) => Call): Call {
  vm.spend(1);
  if (form instanceof Table) {
    const table = new Table();
    for (const [key, value] of entries(form)) putValue(table, yield* change(key), yield* change(value));
    return table;
  }
  if (form instanceof Struct) {
    const pairs: [Value, Value][] = [];
    for (const [key, value] of entries(form)) pairs.push([yield* change(key), yield* change(value)]);
    return structOf(pairs);
  }
  if (!(form instanceof JArray || form instanceof Tuple)) return form;
  const items: Value[] = [];
  for (const item of form.items) items.push(yield* change(item));
  return form instanceof JArray ? new JArray(items) : likeTuple(form, items);
}

function* postwalk(vm: Vm, f: Value, form: Value): Call {
  const inner = yield* walk(vm, form, (part) => postwalk(vm, f, part));
  return yield* asCall(invoke(vm, f, [inner]));
}

function* prewalk(vm: Vm, f: Value, form: Value): Call {
  const outer = yield* asCall(invoke(vm, f, [form]));
  return yield* walk(vm, outer, (part) => prewalk(vm, f, part));
}

function likeTuple(form: Tuple, items: Value[]): Tuple {
  const tuple = new Tuple(items, form.bracketed);
  tuple.line = form.line;
  tuple.column = form.column;
  return tuple;
}

function entries(holder: Table | Struct): [Value, Value][] {
  const pairs: [Value, Value][] = [];
  for (let slot = 0; slot < holder.slots; slot++)
    if (holder.liveAt(slot)) pairs.push([holder.keyAt(slot), holder.valueAt(slot)]);
  return pairs;
}

/** Keys that become equal keep the greater value, so that the order of keys does not matter. */
function freeze(vm: Vm, value: Value): Value {
  vm.spend(1);
  if (value instanceof JArray || value instanceof Tuple)
    return new Tuple(value.items.map((item) => freeze(vm, item)));
  if (value instanceof JBuffer) return value.text();
  if (!(value instanceof Table || value instanceof Struct)) return value;
  const struct = new Struct();
  for (const [key, item] of entries(value)) {
    const [frozenKey, frozen] = [freeze(vm, key), freeze(vm, item)];
    const before = struct.rawGet(frozenKey);
    struct.put(frozenKey, before !== null && compareValues(before, frozen) > 0 ? before : frozen);
  }
  const proto = freeze(vm, value.proto);
  struct.proto = proto instanceof Struct ? proto : null;
  return struct;
}

function thaw(vm: Vm, value: Value): Value {
  vm.spend(1);
  if (typeof value === "string") return JBuffer.of(value);
  if (value instanceof JArray || value instanceof Tuple)
    return new JArray(value.items.map((item) => thaw(vm, item)));
  if (!(value instanceof Table || value instanceof Struct)) return value;
  const table = new Table();
  for (const layer of prototypeChain(value).reverse())
    for (const [key, item] of entries(layer)) putValue(table, thaw(vm, key), thaw(vm, item));
  return table;
}
