import { show } from "../../print/describe.ts";
import { Abstract } from "../../values/abstract.ts";
import { type Call, Closure, Native } from "../../values/functions.ts";
import { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { callValue } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";

/** The dynamic binding that says where output goes. */
export type Channel = "out" | "err";

/** Writes to what `:out` or `:err` is bound to; to the host when it is not bound. */
export function* writeOut(vm: Vm, channel: Channel, text: string): Call {
  const target = vm.dyn(channel);
  if (target !== null) return yield* writeTo(vm, target, text);
  if (channel === "out") vm.host.stdout(text);
  else vm.host.stderr(text);
  return null;
}

/** Writes to a buffer, a file or the like, or a function, which is called with a buffer of the text. @throws JanetError for all else */
export function* writeTo(vm: Vm, target: Value, text: string): Call {
  if (target instanceof JBuffer) {
    target.pushString(text);
    return null;
  }
  if (target instanceof Closure || (target instanceof Native && target.kind === "function")) {
    yield* callValue(vm, target, [JBuffer.of(text)]);
    return null;
  }
  checkTarget(target);
  if (target instanceof Abstract) target.type.write?.(target.data, text, vm);
  return null;
}

/** @throws JanetError when nothing can be written to this value */
export function checkTarget(target: Value): null {
  const able =
    target instanceof JBuffer ||
    target instanceof Closure ||
    (target instanceof Native && target.kind === "function") ||
    (target instanceof Abstract && target.type.write !== undefined);
  return able ? null : panic(`cannot print to ${show(target)}`);
}
