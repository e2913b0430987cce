import type { Call, Closure, Native } from "../values/functions.ts";
import { nextKey } from "../values/operators.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { invoke } from "./call.ts";
import { DEPTH_LIMIT, deep, drive } from "./deep.ts";
import { Fiber, type FiberStatus } from "./fiber.ts";
import { outOfRoom } from "./invoke.ts";
import { JanetError, panic } from "./janet-error.ts";
import { type Signal, signals } from "./signal.ts";
import { asCall } from "./step.ts";
import type { Vm } from "./vm.ts";

/** The most slots that a fiber's stack has unless it is told otherwise. */
export const MAX_STACK = 2_147_483_647;
/** How much deeper a resumed fiber makes the JS stack, in Janet calls. */
const FIBER_DEPTH = 6;

export function makeFiber(_vm: Vm, fn: Closure | Native, mask: number, env: Table | null): Fiber {
  const fiber = new Fiber(fn, mask);
  fiber.env = env;
  fiber.maxStack = MAX_STACK;
  return fiber;
}

/** The status of a fiber that a signal stopped. */
export function statusOf(signal: number): FiberStatus {
  if (signal === signals.ok) return "dead";
  if (signal === signals.error) return "error";
  if (signal === signals.debug) return "debug";
  if (signal === signals.yield) return "pending";
  if (signal === signals.user8) return "interrupted";
  if (signal === signals.user9) return "suspended";
  return `user${signal - signals.user0}`;
}

/** User signals 0 to 4 end a fiber as an error does. */
export function canResume({ status }: Fiber): boolean {
  return status !== "dead" && status !== "error" && status !== "alive" && !/^user[0-4]$/.test(status);
}

/** Goes on with a fiber: gives what it returns, or signals if its mask takes that. */
export function resume(vm: Vm, fiber: Fiber, value: Value): Call {
  return run(vm, fiber, value, false);
}

/** Goes on with a fiber by an error at where it stopped. */
export function cancel(vm: Vm, fiber: Fiber, error: Value): Call {
  return run(vm, fiber, new JanetError(error), true);
}

function* run(vm: Vm, fiber: Fiber, first: unknown, failing: boolean): Call {
  if (!canResume(fiber) || fiber.waiting) panic(`cannot resume fiber with status :${fiber.status}`);
  if (vm.depth >= DEPTH_LIMIT) return yield* deep(vm, run(vm, fiber, first, failing));
  const parent = vm.fiber;
  if (parent) parent.child = fiber;
  let input = first;
  let throws = failing;
  for (;;) {
    const base = vm.depth;
    const { top } = vm;
    let step: IteratorResult<Signal, Value>;
    vm.fiber = fiber;
    vm.depth = base + FIBER_DEPTH + fiber.depth;
    vm.top = fiber.top;
    const fresh = fiber.status === "new";
    fiber.status = "alive";
    try {
      if (fresh && throws) throw input;
      fiber.call ??= asCall(invoke(vm, fiber.fn, firstArguments(fiber, input as Value)));
      step = drive(vm, fiber.call, input, throws, fiber.maxStack);
    } catch (raw) {
      vm.depth = base;
      vm.top = top;
      vm.fiber = parent;
      fiber.call = null;
      fiber.depth = 0;
      fiber.top = null;
      fiber.status = "error";
      if (parent) parent.child = null;
      const error = outOfRoom(raw) ?? raw;
      if (!(error instanceof JanetError)) throw error;
      fiber.last = error.value;
      fiber.trace = error.trace.slice();
      error.fiber ??= fiber;
      if ((fiber.mask & (1 << signals.error)) === 0) throw error;
      return error.value;
    }
    fiber.depth = Math.max(0, vm.depth - base - FIBER_DEPTH);
    fiber.top = vm.top;
    vm.depth = base;
    vm.top = top;
    vm.fiber = parent;
    if (step.done) {
      fiber.status = "dead";
      fiber.last = step.value;
      fiber.call = null;
      if (parent) parent.child = null;
      return step.value;
    }
    const signal = step.value;
    if (signal.kind === "raise") {
      fiber.status = statusOf(signal.signal);
      fiber.last = signal.value;
      if ((fiber.mask & (1 << signal.signal)) !== 0) {
        if (parent) parent.child = null;
        return signal.value;
      }
    } else {
      fiber.waiting = signal.kind === "wait";
      fiber.status = fiber.waiting ? "suspended" : "alive";
    }
    try {
      input = yield signal;
      throws = false;
    } catch (error) {
      input = error;
      throws = true;
    }
    fiber.waiting = false;
    if (parent) parent.child = fiber;
  }
}

/** The function of a new fiber is given the value of the first resumption if it takes one. */
function firstArguments({ fn }: Fiber, value: Value): Value[] {
  const { min, max } = "prototype" in fn ? fn.prototype : fn;
  return max === 0 || (min === 0 && value === null) ? [] : [value];
}

/** `next`, also of a fiber: its only key is 0, as long as it gives values. */
export function* nextOf(vm: Vm, ds: Value, key: Value): Call {
  if (!(ds instanceof Fiber)) return nextKey(ds, key);
  if (!canResume(ds)) return null;
  yield* resume(vm, ds, null);
  return canResume(ds) ? 0 : null;
}
