import { show } from "../../print/describe.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { arrayAt, indexedAt, integerAt, naturalAt, rangeAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { makeItems } from "./limits.ts";

const ANY = Number.POSITIVE_INFINITY;

export function install(core: Registrar): void {
  core.cfun("array", 0, ANY, "(array & items)", "A new array of the items.", (args) => new JArray([...args]));
  core.cfun(
    "array/new",
    1,
    1,
    "(array/new capacity)",
    "An empty array with room for capacity items.",
    (args) => {
      integerAt(args, 0);
      return new JArray();
    },
  );
  core.cfun(
    "array/weak",
    1,
    1,
    "(array/weak capacity)",
    "As `array/new`; its items may be collected.",
    (args) => {
      integerAt(args, 0);
      return new JArray();
    },
  );
  core.cfun(
    "array/new-filled",
    1,
    2,
    "(array/new-filled count &opt value)",
    "An array of count times the value, which is nil by default.",
    (args, vm) => {
      const count = naturalAt(args, 0);
      makeItems(vm, count);
      return new JArray(new Array<Value>(count).fill(args[1] ?? null));
    },
  );
  core.cfun(
    "array/fill",
    1,
    2,
    "(array/fill arr &opt value)",
    "Sets every item of an array to the value, nil by default; gives the array.",
    (args) => {
      const array = arrayAt(args, 0);
      array.items.fill(args[1] ?? null);
      return array;
    },
  );
  core.cfun(
    "array/pop",
    1,
    1,
    "(array/pop arr)",
    "Removes the last item and gives it; nil when there is none.",
    (args) => arrayAt(args, 0).items.pop() ?? null,
  );
  core.cfun(
    "array/peek",
    1,
    1,
    "(array/peek arr)",
    "The last item; nil when there is none.",
    (args) => arrayAt(args, 0).items.at(-1) ?? null,
  );
  core.cfun(
    "array/push",
    1,
    ANY,
    "(array/push arr & xs)",
    "Adds items at the end; gives the array.",
    (args) => {
      const array = arrayAt(args, 0);
      for (let at = 1; at < args.length; at++) array.items.push(args[at] as Value);
      return array;
    },
  );
  core.cfun(
    "array/ensure",
    3,
    3,
    "(array/ensure arr capacity growth)",
    "Makes room for capacity times growth items; gives the array.",
    (args) => {
      const array = arrayAt(args, 0);
      const capacity = integerAt(args, 1);
      integerAt(args, 2);
      if (capacity < 1) panic("expected positive integer");
      return array;
    },
  );
  core.cfun(
    "array/slice",
    1,
    3,
    "(array/slice arrtup &opt start end)",
    "A part of an array or tuple as a new array, from start up to but without end; negative positions count from past the end.",
    (args, vm) => {
      const items = indexedAt(args, 0);
      const { start, end } = rangeAt(args, 1, items.length);
      makeItems(vm, end - start);
      return new JArray(items.slice(start, end));
    },
  );
  core.cfun(
    "array/concat",
    1,
    ANY,
    "(array/concat arr & parts)",
    "Adds the items of arrays and tuples, and other values as they are, at the end; gives the array.",
    (args, vm) => {
      const array = arrayAt(args, 0);
      for (const part of args.slice(1)) {
        if (part instanceof JArray || part instanceof Tuple) pushAll(array, part.items, vm);
        else array.items.push(part);
      }
      return array;
    },
  );
  core.cfun(
    "array/join",
    1,
    ANY,
    "(array/join arr & parts)",
    "Adds the items of arrays and tuples at the end; gives the array.",
    (args, vm) => {
      const array = arrayAt(args, 0);
      for (const [at, part] of args.entries()) {
        if (at === 0) continue;
        if (!(part instanceof JArray || part instanceof Tuple))
          panic(`expected indexed type for argument ${at}, got ${show(part)}`);
        pushAll(array, part.items, vm);
      }
      return array;
    },
  );
  core.cfun(
    "array/insert",
    2,
    ANY,
    "(array/insert arr at & xs)",
    "Inserts items before a position, where -1 is the end; gives the array.",
    (args, vm) => {
      const array = arrayAt(args, 0);
      const count = array.items.length;
      vm.spend(count >> 3);
      const index = integerAt(args, 1);
      const at = index < 0 ? index + count + 1 : index;
      if (at < 0 || at > count) panic(`insertion index ${at} out of range [0,${count}]`);
      array.items = [...array.items.slice(0, at), ...args.slice(2), ...array.items.slice(at)];
      return array;
    },
  );
  core.cfun(
    "array/remove",
    2,
    3,
    "(array/remove arr at &opt n)",
    "Removes n items, by default one, from a position on, which may count from the end; gives the array.",
    (args) => {
      const array = arrayAt(args, 0);
      const count = array.items.length;
      const index = integerAt(args, 1);
      const at = index < 0 ? index + count : index;
      if (at < 0 || at > count) panic(`removal index ${at} out of range [0,${count}]`);
      const removed = args.length > 2 ? integerAt(args, 2) : 1;
      if (removed < 0) panic(`expected non-negative integer for argument n, got ${show(args[2] as Value)}`);
      array.items.splice(at, removed);
      return array;
    },
  );
  core.cfun(
    "array/trim",
    1,
    1,
    "(array/trim arr)",
    "Gives back room that is not used; gives the array.",
    (args) => arrayAt(args, 0),
  );
  core.cfun("array/clear", 1, 1, "(array/clear arr)", "Removes every item; gives the array.", (args) => {
    const array = arrayAt(args, 0);
    array.items = [];
    return array;
  });
}

/** Pushes every item; `items` may be the array's own. */
function pushAll(array: JArray, items: readonly Value[], vm: Vm): void {
  const count = items.length;
  makeItems(vm, array.items.length + count, count);
  for (let at = 0; at < count; at++) array.items.push(items[at] as Value);
}
