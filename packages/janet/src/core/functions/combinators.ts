import { Native } from "../../values/functions.ts";
import { Tuple } from "../../values/sequences.ts";
import { truthy, type Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { isCall } from "../../vm/step.ts";
import type { Registrar } from "../registrar.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions that make functions. */
export function installCombinators(core: Registrar): void {
  core.fun("identity", 1, 1, "(identity x)", "Gives its argument.", ([x = null]) => x);
  core.fun(
    "complement",
    1,
    1,
    "(complement f)",
    "A function that gives the logical opposite of what f gives.",
    ([f = null]) =>
      new Native("function", "", 1, 1, null, function* (args, vm) {
        const step = invoke(vm, f, args);
        return !truthy(isCall(step) ? yield* step : step);
      }),
  );
  core.fun(
    "comp",
    0,
    any,
    "(comp & functions)",
    "A function that calls the last function with its arguments, the one before with that result, and so on.",
    (functions) => {
      if (functions.length < 2) return functions[0] ?? null;
      const outer = functions.slice(0, -1).reverse();
      return made(function* (args, vm) {
        const first = invoke(vm, functions.at(-1) as Value, args);
        let result = isCall(first) ? yield* first : first;
        for (const f of outer) {
          const step = invoke(vm, f, [result]);
          result = isCall(step) ? yield* step : step;
        }
        return result;
      });
    },
  );
  core.fun(
    "partial",
    1,
    any,
    "(partial f & more)",
    "A function that calls f with the given arguments before its own.",
    ([f = null, ...more]) =>
      more.length === 0
        ? f
        : made(function* (args, vm) {
            const step = invoke(vm, f, [...more, ...args]);
            return isCall(step) ? yield* step : step;
          }),
  );
  core.fun(
    "juxt*",
    0,
    any,
    "(juxt* & funs)",
    "A function that gives a tuple of what each of these functions gives for its arguments.",
    (functions) =>
      made(function* (args, vm) {
        const results: Value[] = [];
        for (const f of functions) {
          const step = invoke(vm, f, args.slice());
          results.push(isCall(step) ? yield* step : step);
        }
        return new Tuple(results);
      }),
  );
}

/** A function without a name, of any number of arguments. */
function made(gen: NonNullable<Native["gen"]>): Native {
  return new Native("function", "", 0, any, null, gen);
}
