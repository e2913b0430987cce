import type { Call } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import type { Signal } from "./signal.ts";

/**
 * What running something gives: its value at once, or, when it suspended on the way, a call that goes on with it. So code that does
 * not suspend runs as plain function calls, and generators exist only where something waits.
 */
export type Step = Value | Call;

const Generators = function generators() {} as unknown as { new (): Call; prototype: Call };
Generators.prototype = Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())) as Call;

export function isCall(step: Step): step is Call {
  return typeof step === "object" && step instanceof Generators;
}

/** Goes on with a value once a call is done. */
export function* after<Extra>(call: Call, finish: (value: Value, extra: Extra) => Step, extra: Extra): Call {
  const step = finish(yield* call, extra);
  return isCall(step) ? yield* step : step;
}

/** Runs a call until it suspends: gives its value, or a call that goes on with it. */
export function begin(call: Call): Step {
  const first = call.next(null);
  return first.done ? first.value : continued(call, first);
}

/** A call that began already and yielded `step`. */
function* continued(call: Call, step: IteratorResult<Signal, Value>): Call {
  while (!step.done) {
    let input: Value;
    try {
      input = yield step.value;
    } catch (error) {
      step = call.throw(error);
      continue;
    }
    step = call.next(input);
  }
  return step.value;
}

/** Any step as a call. */
export function* asCall(step: Step): Call {
  return isCall(step) ? yield* step : step;
}
