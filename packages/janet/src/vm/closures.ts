import { type Call, Closure } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import type { Code } from "./code.ts";
import { enter } from "./invoke.ts";
import { asCall } from "./step.ts";
import type { Vm } from "./vm.ts";

function* start(self: Closure, args: Value[], vm: Vm): Call {
  return yield* asCall(enter(vm, self, args));
}

/** A function of this code that holds what it captured. */
export function makeClosure(code: Code, captured: unknown[]): Closure {
  return new Closure(code, start, captured);
}
