import { add, divide, greater, lengthOf, less, multiply } from "../../values/operators.ts";
import { JArray } from "../../values/sequences.ts";
import { truthy, type Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { Fiber } from "../../vm/fiber.ts";
import { isCall } from "../../vm/step.ts";
import type { Vm } from "../../vm/vm.ts";
import { numberAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { cursorOf, valuesOf } from "./cursor.ts";

/** Functions that fold values into one. */
export function installReducing(core: Registrar): void {
  core.gen(
    "reduce",
    3,
    3,
    "(reduce f init ind)",
    "Folds the values from the left: calls f with what there is so far, at first init, and each value.",
    function* ([f = null, init = null, source = null], vm) {
      const at = cursorOf(source);
      let result = init;
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, f, [result, at.value]);
        result = isCall(step) ? yield* step : step;
      }
      return result;
    },
  );
  core.gen(
    "reduce2",
    2,
    2,
    "(reduce2 f ind)",
    "As reduce, with the first value as init; nil when there is none.",
    function* ([f = null, source = null], vm) {
      const at = cursorOf(source);
      let result: Value = null;
      let isFirst = true;
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const step: Value | ReturnType<typeof invoke> = isFirst
          ? at.value
          : invoke(vm, f, [result, at.value]);
        isFirst = false;
        result = isCall(step) ? yield* step : step;
      }
      return result;
    },
  );
  core.gen(
    "accumulate",
    3,
    3,
    "(accumulate f init ind)",
    "As reduce, but gives an array of all that f gave on the way.",
    function* ([f = null, init = null, source = null], vm) {
      lengthOf(source, vm);
      const at = cursorOf(source);
      const results: Value[] = [];
      let result = init;
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, f, [result, at.value]);
        result = isCall(step) ? yield* step : step;
        results.push(result);
      }
      return new JArray(results);
    },
  );
  core.gen(
    "accumulate2",
    2,
    2,
    "(accumulate2 f ind)",
    "As accumulate, with the first value as the first result.",
    function* ([f = null, source = null], vm) {
      const at = cursorOf(source);
      lengthOf(source, vm);
      const results: Value[] = [];
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const last = results.at(-1);
        const step = last === undefined ? at.value : invoke(vm, f, [last, at.value]);
        results.push(isCall(step) ? yield* step : step);
      }
      return new JArray(results);
    },
  );
  installNumeric(core);
  installExtremes(core);
}

function installNumeric(core: Registrar): void {
  core.gen(
    "sum",
    1,
    1,
    "(sum xs)",
    "All values added up; 0 when there is none.",
    function* ([xs = null], vm) {
      return (yield* valuesOf(vm, xs)).reduce((total, value) => add(total, value, vm), 0);
    },
  );
  core.gen(
    "product",
    1,
    1,
    "(product xs)",
    "All values multiplied; 1 when there is none.",
    function* ([xs = null], vm) {
      return (yield* valuesOf(vm, xs)).reduce((total, value) => multiply(total, value, vm), 1);
    },
  );
  core.gen("mean", 1, 1, "(mean xs)", "The arithmetic mean of the values.", function* ([xs = null], vm) {
    const values = yield* valuesOf(vm, xs);
    return divide(
      values.reduce((total, value) => add(total, value, vm), 0),
      values.length,
      vm,
    );
  });
  core.gen("geomean", 1, 1, "(geomean xs)", "The geometric mean of the values.", function* ([xs = null], vm) {
    const values = yield* valuesOf(vm, xs);
    const product = values.reduce((total, value) => multiply(total, value, vm), 1);
    return numberAt([product], 0) ** (1 / values.length);
  });
}

function installExtremes(core: Registrar): void {
  const extreme = (before: (a: Value, b: Value) => boolean) => (values: readonly Value[]) => {
    let found: Value = values[0] ?? null;
    for (const value of values) if (before(value, found)) found = value;
    return found;
  };
  const any = Number.POSITIVE_INFINITY;
  core.fun("max", 0, any, "(max & args)", "The greatest argument; nil without any.", extreme(greater));
  core.fun("min", 0, any, "(min & args)", "The least argument; nil without any.", extreme(less));
  core.gen(
    "max-of",
    1,
    1,
    "(max-of args)",
    "The greatest value of a collection.",
    function* ([args = null], vm) {
      return extreme(greater)(yield* holding(vm, args));
    },
  );
  core.gen(
    "min-of",
    1,
    1,
    "(min-of args)",
    "The least value of a collection.",
    function* ([args = null], vm) {
      return extreme(less)(yield* holding(vm, args));
    },
  );
  core.gen(
    "extreme",
    2,
    2,
    "(extreme order args)",
    "The value that comes before all others by the given order; max is extreme with >.",
    function* ([order = null, args = null], vm) {
      const values = yield* holding(vm, args);
      let found: Value = values[0] ?? null;
      for (const value of values) {
        vm.spend(1);
        const step = invoke(vm, order, [value, found]);
        if (truthy(isCall(step) ? yield* step : step)) found = value;
      }
      return found;
    },
  );
}

/** The values of something, which must have a length or be a fiber. */
function* holding(vm: Vm, args: Value): ReturnType<typeof valuesOf> {
  if (!(args instanceof Fiber)) lengthOf(args, vm);
  return yield* valuesOf(vm, args);
}
