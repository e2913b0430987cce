import type { Call } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import { JanetError } from "./janet-error.ts";
import type { DeepSignal, Signal } from "./signal.ts";
import type { Vm } from "./vm.ts";

/** Janet calls nested on the JS stack before the rest moves to a fresh one. */
export const DEPTH_LIMIT = 200;
/** Fresh stacks of one driver, each of {@link DEPTH_LIMIT} calls, before it is a stack overflow. */
const STACKS = 600;

/**
 * Runs a call on a fresh stack: each of its steps is asked of the nearest driver that stands low, which needs this stack to be unwound
 * into generators first. So Janet code recurses as deep as memory allows.
 */
export function* deep(vm: Vm, call: Call): Call {
  const { fiber } = vm;
  let request: DeepSignal = { kind: "deep", call, fiber, input: null, throws: false, depth: 0, top: vm.top };
  for (;;) {
    const step = (yield request) as unknown as IteratorResult<Signal, Value>;
    if (step.done) return step.value;
    const { depth, top } = request;
    vm.top = top;
    try {
      request = { kind: "deep", call, fiber, input: yield step.value, throws: false, depth, top };
    } catch (error) {
      request = { kind: "deep", call, fiber, input: error, throws: true, depth, top };
    }
  }
}

/** One step of a call. Requests for fresh stacks are answered when this stands low itself, else passed on. */
export function drive(
  vm: Vm,
  call: Call,
  input: unknown,
  throws: boolean,
  maxStack: number,
  /** There is no driver around this one. */
  outermost = false,
): IteratorResult<Signal, Value> {
  const base = vm.depth;
  const { fiber } = vm;
  const waiting: { call: Call; depth: number; request: DeepSignal }[] = [];
  let current = call;
  for (;;) {
    let step: IteratorResult<Signal, Value>;
    try {
      step = throws ? current.throw(input) : current.next(input as Value);
    } catch (error) {
      const below = waiting.pop();
      if (!below) throw error;
      current = below.call;
      vm.depth = below.depth;
      vm.fiber = fiber;
      input = error;
      throws = true;
      continue;
    }
    if (!step.done && step.value.kind === "deep" && (outermost || base < DEPTH_LIMIT / 2)) {
      const request = step.value;
      waiting.push({ call: current, depth: vm.depth, request });
      if (waiting.length > STACKS || waiting.length * DEPTH_LIMIT * 8 > maxStack) {
        waiting.pop();
        input = new JanetError("stack overflow");
        throws = true;
        continue;
      }
      current = request.call;
      vm.depth = base + request.depth;
      vm.top = request.top;
      vm.fiber = request.fiber;
      input = request.input;
      throws = request.throws;
      continue;
    }
    const below = waiting.pop();
    if (!below) return step;
    below.request.depth = vm.depth - base;
    below.request.top = vm.top;
    current = below.call;
    vm.depth = below.depth;
    vm.fiber = fiber;
    input = step;
    throws = false;
  }
}
