import { Kw, Sym } from "../../values/names.ts";
import { getValue, inValue, lengthOf, putValue } from "../../values/operators.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { truthy, type Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import { isCall } from "../../vm/step.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, indexedAt, numberAt, rangeAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { cursorOf, valuesOf } from "./cursor.ts";

/** Longer ranges are refused: a wrong number must not take all memory. */
const LARGEST = 1 << 26;

/** The bytes of a string, symbol, keyword or buffer; null for other values. */
function bytesOf(value: Value): string | null {
  if (typeof value === "string") return value;
  if (value instanceof Sym || value instanceof Kw) return value.name;
  return value instanceof JBuffer ? value.text() : null;
}

/** How a part of a value is made: a string of what has bytes, else a tuple. */
export function slicer(source: Value): (start: Value, end: Value) => Value {
  const text = bytesOf(source);
  return (from, to) => {
    const args = [source, from, to];
    if (text !== null) {
      const { start, end } = rangeAt(args, 1, text.length);
      return text.slice(start, end);
    }
    const items = indexedAt(args, 0);
    const { start, end } = rangeAt(args, 1, items.length);
    return new Tuple(items.slice(start, end));
  };
}

/** Parts of collections, and reversal. */
export function installSlices(core: Registrar): void {
  core.fun("first", 1, 1, "(first xs)", "The first value, or nil.", ([xs = null]) => getValue(xs, 0));
  core.fun("last", 1, 1, "(last xs)", "The last value, or nil.", ([xs = null], vm) =>
    getValue(xs, (lengthOf(xs, vm) as number) - 1),
  );
  core.cfun(
    "slice",
    1,
    3,
    "(slice x &opt start end)",
    "A part of a string, symbol, keyword or buffer as a string, or of an array or tuple as a tuple.",
    ([x = null, start = null, end = null]) => {
      if (!(x instanceof JArray || x instanceof Tuple) && bytesOf(x) === null)
        badSlot([x], 0, "string, symbol, keyword, array, tuple or buffer");
      return slicer(x)(start, end);
    },
  );
  core.cfun(
    "range",
    1,
    3,
    "(range & args)",
    "An array of numbers: (range stop), (range start stop) or (range start stop step); stop is not among them.",
    range,
  );
  core.gen(
    "take",
    2,
    2,
    "(take n ind)",
    "The first n values, or the last -n: a string of bytes, a tuple of an array or tuple, an array of anything else.",
    function* ([count = null, source = null], vm) {
      if (isSliceable(source)) {
        const length = lengthOf(source, vm) as number;
        const n = count as number;
        return slicer(source)(n < 0 && length + n > 0 ? length + n : 0, n >= 0 && n < length ? n : length);
      }
      const results: Value[] = [];
      const at = cursorOf(source);
      while (results.length < (count as number) && (at.plain ? at.step() : yield* at.resume(vm))) {
        vm.spend(1);
        results.push(at.value);
      }
      return new JArray(results);
    },
  );
  core.fun(
    "drop",
    2,
    2,
    "(drop n ind)",
    "All but the first n values, or all but the last -n, as a tuple, or as a string of bytes.",
    ([count = null, source = null], vm) => {
      const length = lengthOf(source, vm) as number;
      const n = count as number;
      if (n < 0) return slicer(source)(0, Math.max(0, length + n));
      return slicer(source)(Math.min(n, length), length);
    },
  );
  installConditional(core);
  installReversal(core);
}

/** `take-while` and its kin. */
function installConditional(core: Registrar): void {
  const take = (name: string, until: boolean, words: string) =>
    core.gen(name, 2, 2, `(${name} pred ind)`, words, function* ([pred = null, source = null], vm) {
      const at = cursorOf(source);
      const results: Value[] = [];
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const { value } = at;
        const step = invoke(vm, pred, [value]);
        if (truthy(isCall(step) ? yield* step : step) === until) break;
        results.push(value);
      }
      return isSliceable(source) ? slicer(source)(0, results.length) : new JArray(results);
    });
  take("take-until", true, "The values before the first one for which pred gives a truthy value.");
  take("take-while", false, "The values before the first one for which pred gives a falsey value.");
  const drop = (name: string, until: boolean, words: string) =>
    core.gen(name, 2, 2, `(${name} pred ind)`, words, function* ([pred = null, source = null], vm) {
      const at = cursorOf(source);
      let found: Value = null;
      while (found === null && (at.plain ? at.step() : yield* at.resume(vm))) {
        vm.spend(1);
        const { key } = at;
        const step = invoke(vm, pred, [at.value]);
        if (truthy(isCall(step) ? yield* step : step) === until) found = key;
      }
      return slicer(source)(found ?? lengthOf(source, vm), null);
    });
  drop("drop-until", true, "The values from the first one on for which pred gives a truthy value.");
  drop("drop-while", false, "The values from the first one on for which pred gives a falsey value.");
}

function installReversal(core: Registrar): void {
  core.gen(
    "reverse",
    1,
    1,
    "(reverse t)",
    "A new array of the values in reverse order; of bytes a buffer.",
    function* ([source = null], vm) {
      const text = bytesOf(source);
      if (text !== null) return JBuffer.of([...text].reverse().join(""));
      return new JArray([...(yield* valuesOf(vm, source))].reverse());
    },
  );
  core.fun(
    "reverse!",
    1,
    1,
    "(reverse! t)",
    "Reverses an array or buffer in place and gives it.",
    ([source = null], vm) => {
      const length = lengthOf(source, vm) as number;
      for (let low = 0, high = length - 1; low < high; low++, high--) {
        vm.spend(1);
        const kept = inValue(source, low);
        putValue(source, low, inValue(source, high));
        putValue(source, high, kept);
      }
      return source;
    },
  );
  core.gen(
    "empty?",
    1,
    1,
    "(empty? xs)",
    "Whether there is no value in it.",
    function* ([source = null], vm) {
      const at = cursorOf(source);
      return !(at.plain ? at.step() : yield* at.resume(vm));
    },
  );
}

function isSliceable(value: Value): boolean {
  return value instanceof JArray || value instanceof Tuple || bytesOf(value) !== null;
}

function range(args: Value[], vm: Vm): Value {
  const numbers = args.map((_, at) => numberAt(args, at));
  const [start, stop, step] =
    numbers.length === 1
      ? [0, numbers[0] as number, 1]
      : [numbers[0] as number, numbers[1] as number, numbers[2] ?? 1];
  const count = step === 0 ? 0 : Math.max(0, Math.ceil((stop - start) / step) || 0);
  if (count > LARGEST) panic("out of memory");
  const results: Value[] = [];
  for (let at = 0; at < count; at++) {
    if ((at & 1023) === 0) vm.spend(1024);
    results.push(start + at * step);
  }
  return new JArray(results);
}
