import { JArray, Tuple } from "../../values/sequences.ts";
import { truthy, type Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { isCall } from "../../vm/step.ts";
import type { Registrar } from "../registrar.ts";
import { cursorOf, Rows } from "./cursor.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions that make an array of what a function gives for each value. */
export function installMapping(core: Registrar): void {
  core.gen(
    "map",
    2,
    any,
    "(map f ind & inds)",
    "An array of what f gives for each value, or for the values of several collections in step.",
    function* ([f = null, ...sources], vm) {
      const rows = new Rows(sources);
      const results: Value[] = [];
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, f, rows.args());
        results.push(isCall(step) ? yield* step : step);
      }
      return new JArray(results);
    },
  );
  core.gen(
    "mapcat",
    2,
    any,
    "(mapcat f ind & inds)",
    "As map, but arrays and tuples that f gives are joined into one array.",
    function* ([f = null, ...sources], vm) {
      const rows = new Rows(sources);
      const results: Value[] = [];
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, f, rows.args());
        const part = isCall(step) ? yield* step : step;
        if (part instanceof JArray || part instanceof Tuple)
          for (const value of part.items) results.push(value);
        else results.push(part);
      }
      return new JArray(results);
    },
  );
  core.gen(
    "filter",
    2,
    2,
    "(filter pred ind)",
    "An array of the values for which pred gives a truthy value.",
    function* ([pred = null, source = null], vm) {
      const at = cursorOf(source);
      const results: Value[] = [];
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const { value } = at;
        const step = invoke(vm, pred, [value]);
        if (truthy(isCall(step) ? yield* step : step)) results.push(value);
      }
      return new JArray(results);
    },
  );
  core.gen(
    "keep",
    2,
    any,
    "(keep pred ind & inds)",
    "An array of the truthy ones among what pred gives for each value.",
    function* ([pred = null, ...sources], vm) {
      const rows = new Rows(sources);
      const results: Value[] = [];
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, pred, rows.args());
        const result = isCall(step) ? yield* step : step;
        if (truthy(result)) results.push(result);
      }
      return new JArray(results);
    },
  );
  core.gen(
    "count",
    2,
    any,
    "(count pred ind & inds)",
    "For how many values pred gives a truthy value.",
    function* ([pred = null, ...sources], vm) {
      const rows = new Rows(sources);
      let count = 0;
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, pred, rows.args());
        if (truthy(isCall(step) ? yield* step : step)) count++;
      }
      return count;
    },
  );
}
