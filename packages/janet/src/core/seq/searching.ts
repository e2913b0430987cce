import { equals } from "../../values/equality.ts";
import { truthy, type Value } from "../../values/value.ts";
import { invoke } from "../../vm/call.ts";
import { isCall } from "../../vm/step.ts";
import type { Registrar } from "../registrar.ts";
import { cursorOf, Rows } from "./cursor.ts";

const any = Number.POSITIVE_INFINITY;

/** Functions that look for a value. */
export function installSearching(core: Registrar): void {
  core.gen(
    "find-index",
    2,
    3,
    "(find-index pred ind &opt dflt)",
    "The key of the first value for which pred gives a truthy value, or dflt.",
    function* ([pred = null, source = null, otherwise = null], vm) {
      const at = cursorOf(source);
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const { key } = at;
        const step = invoke(vm, pred, [at.value]);
        if (truthy(isCall(step) ? yield* step : step)) return key;
      }
      return otherwise;
    },
  );
  core.gen(
    "find",
    2,
    3,
    "(find pred ind &opt dflt)",
    "The first value for which pred gives a truthy value, or dflt.",
    function* ([pred = null, source = null, otherwise = null], vm) {
      const at = cursorOf(source);
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        const { value } = at;
        const step = invoke(vm, pred, [value]);
        if (truthy(isCall(step) ? yield* step : step)) return value;
      }
      return otherwise;
    },
  );
  core.gen(
    "index-of",
    2,
    3,
    "(index-of x ind &opt dflt)",
    "The key of the first value that equals x, or dflt.",
    function* ([wanted = null, source = null, otherwise = null], vm) {
      const at = cursorOf(source);
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        if (equals(at.value, wanted)) return at.key;
      }
      return otherwise;
    },
  );
  core.gen(
    "has-value?",
    2,
    2,
    "(has-value? ds value)",
    "Whether a value is there at some key.",
    function* ([source = null, wanted = null], vm) {
      const at = cursorOf(source);
      while (at.plain ? at.step() : yield* at.resume(vm)) {
        vm.spend(1);
        if (equals(at.value, wanted)) return true;
      }
      return false;
    },
  );
  core.gen(
    "some",
    2,
    any,
    "(some pred ind & inds)",
    "The first truthy value that pred gives, or nil.",
    function* ([pred = null, ...sources], vm) {
      const rows = new Rows(sources);
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, pred, rows.args());
        const result = isCall(step) ? yield* step : step;
        if (truthy(result)) return result;
      }
      return null;
    },
  );
  core.gen(
    "all",
    2,
    any,
    "(all pred ind & inds)",
    "The first falsey value that pred gives, or true.",
    function* ([pred = null, ...sources], vm) {
      const rows = new Rows(sources);
      while (rows.plain ? rows.step() : yield* rows.resume(vm)) {
        vm.spend(1);
        const step = invoke(vm, pred, rows.args());
        const result = isCall(step) ? yield* step : step;
        if (!truthy(result)) return result;
      }
      return true;
    },
  );
  core.gen(
    "any?",
    1,
    1,
    "(any? ind)",
    "The first truthy value, or the last one when all are falsey.",
    function* ([source = null], vm) {
      const at = cursorOf(source);
      let last: Value = null;
      while (!truthy(last) && (at.plain ? at.step() : yield* at.resume(vm))) {
        vm.spend(1);
        last = at.value;
      }
      return last;
    },
  );
  core.gen(
    "every?",
    1,
    1,
    "(every? ind)",
    "The first falsey value, or the last one when all are truthy; true when there is none.",
    function* ([source = null], vm) {
      const at = cursorOf(source);
      let last: Value = true;
      while (truthy(last) && (at.plain ? at.step() : yield* at.resume(vm))) {
        vm.spend(1);
        last = at.value;
      }
      return last;
    },
  );
}
