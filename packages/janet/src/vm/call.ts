import type { Call } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import { panic } from "./janet-error.ts";
import type { Vm } from "./vm.ts";

/** Calls any value that Janet lets be called. */
// biome-ignore lint/correctness/useYield: laid for the others to import; the compiler's part fills it in
export function* callValue(_vm: Vm, _callee: Value, _args: Value[]): Call {
  return panic("calls are not there yet");
}

/** Calls a function that must not suspend; a signal is an error. */
export function callNow(vm: Vm, callee: Value, args: Value[]): Value {
  const call = callValue(vm, callee, args);
  for (;;) {
    const step = call.next(null);
    if (step.done) return step.value;
    if (step.value.kind !== "pause") panic("cannot suspend here");
  }
}
