import { show } from "../../print/describe.ts";
import { callNow } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { Native } from "../functions.ts";
import type { Kw } from "../names.ts";
import type { Value } from "../value.ts";
import { getValue } from "./access.ts";

/**
 * The methods behind operators: what a table, a struct or an abstract value brings to be added, shifted, compared. As in Janet, a
 * method called so may not suspend.
 */
export function callMethod(vm: Vm, method: Value, args: Value[]): Value {
  if (method instanceof Native && method.run && args.length >= method.min && args.length <= method.max)
    return method.run(args, vm);
  return callNow(vm, method, args);
}

/** `a` op `b` through the method of `a`, or else the reversed one of `b`. */
export function binaryMethod(vm: Vm, name: Kw, reversed: Kw, a: Value, b: Value): Value {
  const own = getValue(a, name);
  if (own !== null) return callMethod(vm, own, [a, b]);
  const other = getValue(b, reversed);
  if (other !== null) return callMethod(vm, other, [b, a]);
  return panic(`could not find method :${name.name} for ${show(a)} or :${reversed.name} for ${show(b)}`);
}

/** A method of the first argument alone: that of `~`, `length`, and of operators with a small literal on the right. */
export function ownMethod(vm: Vm, name: Kw, args: Value[]): Value {
  const subject = args[0] as Value;
  const method = getValue(subject, name);
  if (method === null) panic(`could not find method :${name.name} for ${show(subject)}`);
  return callMethod(vm, method, args);
}
