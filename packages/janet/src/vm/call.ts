import { show } from "../print/describe.ts";
import { Abstract } from "../values/abstract.ts";
import { type Call, Closure, Native } from "../values/functions.ts";
import { Kw } from "../values/names.ts";
import { getValue, inValue } from "../values/operators.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { drive } from "./deep.ts";
import { arityError, enter } from "./invoke.ts";
import { Interrupted, panic } from "./janet-error.ts";
import { signalName } from "./signal.ts";
import { begin, isCall, type Step } from "./step.ts";
import type { Vm } from "./vm.ts";

/** Calls any value that Janet lets be called: gives its value, or a call when it suspended. */
export function invoke(vm: Vm, callee: Value, args: Value[]): Step {
  if (callee instanceof Closure) return enter(vm, callee, args);
  if (callee instanceof Native) return invokeNative(vm, callee, args);
  if (callee instanceof Kw) return invokeMethod(vm, callee, args);
  if (args.length !== 1) panic(`${show(callee)} called with ${args.length} arguments, possibly expected 1`);
  const key = args[0] as Value;
  return isContainer(callee) ? inValue(callee, key) : inValue(key, callee);
}

function invokeNative(vm: Vm, callee: Native, args: Value[]): Step {
  if (args.length < callee.min || args.length > callee.max) wrongNativeArity(callee, args.length);
  if (callee.run !== null) return callee.run(args, vm);
  return begin((callee.gen as NonNullable<Native["gen"]>)(args, vm));
}

function invokeMethod(vm: Vm, callee: Kw, args: Value[]): Step {
  if (args.length === 0) panic(`method call (:${callee.name}) takes at least 1 argument, got 0`);
  const self = args[0] as Value;
  const method = getValue(self, callee);
  if (method === null) panic(`unknown method :${callee.name} invoked on ${show(self)}`);
  // A keyword that is found is no method again, but looked up.
  if (method instanceof Kw)
    return args.length === 1 ? inValue(self, method) : panic(oneExpected(method, args));
  return invoke(vm, method, args);
}

function oneExpected(callee: Value, args: Value[]): string {
  return `${show(callee)} called with ${args.length} arguments, possibly expected 1`;
}

/** Raises what calling a native function with a wrong number of arguments raises. */
export function wrongNativeArity(callee: Native, count: number): never {
  const { min, max } = callee;
  if (callee.kind === "function") arityError(callee, min, max, count);
  const bound = min === max ? "" : count < min ? "at least " : "at most ";
  panic(`arity mismatch, expected ${bound}${count < min ? min : max}, got ${count}`);
}

function isContainer(value: Value): boolean {
  return (
    typeof value === "string" ||
    value instanceof Table ||
    value instanceof Struct ||
    value instanceof JArray ||
    value instanceof Tuple ||
    value instanceof JBuffer ||
    value instanceof Abstract
  );
}

/** Calls any value that Janet lets be called. */
export function* callValue(vm: Vm, callee: Value, args: Value[]): Call {
  const step = invoke(vm, callee, args);
  return isCall(step) ? yield* step : step;
}

/** Calls a function that must not suspend; a signal is an error, as it is in Janet's C functions. */
export function callNow(vm: Vm, callee: Value, args: Value[]): Value {
  const { depth, top } = vm;
  const call = invoke(vm, callee, args);
  return isCall(call) ? finishNow(vm, call, depth, top) : call;
}

/** Runs a call that must not suspend to its end. `depth`: where the call was made. */
export function finishNow(vm: Vm, call: Call, depth = vm.depth, top = vm.top): Value {
  const { fiber } = vm;
  for (;;) {
    const step = drive(vm, call, null, false, Number.POSITIVE_INFINITY, true);
    if (step.done) return step.value;
    const signal = step.value;
    if (signal.kind === "pause") {
      if (vm.tasks.current?.budget.isOver?.()) throw new Interrupted();
      vm.beginSlice();
      continue;
    }
    vm.depth = depth;
    vm.top = top;
    vm.fiber = fiber;
    const [value, name] =
      signal.kind === "raise" ? [signal.value, signalName(signal.signal)] : [null, "await"];
    panic(`${show(value)} coerced from ${name} to error`);
  }
}
