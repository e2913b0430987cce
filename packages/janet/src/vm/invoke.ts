import { show } from "../print/describe.ts";
import type { Call, Closure } from "../values/functions.ts";
import { emptyTuple, Tuple } from "../values/sequences.ts";
import { Struct } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import {
  BREAK,
  BreakThrown,
  CAPTURED,
  CLOSURE,
  type Code,
  FIRST_SLOT,
  type Frame,
  PARENT,
  POSITION,
  TAIL,
} from "./code.ts";
import { DEPTH_LIMIT, deep } from "./deep.ts";
import { JanetError, panic } from "./janet-error.ts";
import { pause } from "./signal.ts";
import { asCall, isCall, type Step } from "./step.ts";
import type { Vm } from "./vm.ts";

/** Calls a function written in Janet. */
export function enter(vm: Vm, closure: Closure, args: Value[]): Step {
  if (vm.depth >= DEPTH_LIMIT) return deep(vm, later(vm, closure, args, false));
  if (--vm.fuel < 0 && vm.refuel()) return later(vm, closure, args, true);
  let code = closure.prototype as Code;
  const parent = vm.top;
  let frame = frameOf(closure, code, args, parent);
  let tail = code.isThunk;
  vm.depth++;
  vm.top = frame;
  try {
    let step = code.body(frame);
    while (step === TAIL) {
      const callee = vm.tailCallee as Closure;
      if (--vm.fuel < 0 && vm.refuel()) {
        step = later(vm, callee, vm.tailArgs, true);
        break;
      }
      const next = callee.prototype as Code;
      frame = frameOf(callee, next, vm.tailArgs, parent);
      vm.top = frame;
      code = next;
      tail = true;
      step = code.body(frame);
    }
    if (isCall(step)) return suspended(vm, step, code, frame, tail);
    vm.depth--;
    vm.top = parent;
    return step === BREAK ? vm.broken : step;
  } catch (error) {
    vm.depth--;
    vm.top = parent;
    if (error instanceof BreakThrown) return vm.broken;
    throw traced(error, code, frame, tail);
  }
}

/** A call whose body has suspended. */
function* suspended(vm: Vm, call: Call, code: Code, frame: Frame, tail: boolean): Call {
  try {
    let step: Step = yield* call;
    while (step === TAIL) {
      const callee = vm.tailCallee as Closure;
      if (--vm.fuel < 0 && vm.refuel()) {
        const args = vm.tailArgs;
        yield pause;
        vm.beginSlice();
        vm.tailArgs = args;
      }
      const next = callee.prototype as Code;
      frame = frameOf(callee, next, vm.tailArgs, frame[PARENT]);
      vm.top = frame;
      code = next;
      tail = true;
      step = code.body(frame);
      if (isCall(step)) step = yield* step;
    }
    vm.depth--;
    vm.top = frame[PARENT];
    return step === BREAK ? vm.broken : step;
  } catch (error) {
    vm.depth--;
    vm.top = frame[PARENT];
    if (error instanceof BreakThrown) return vm.broken;
    throw traced(error, code, frame, tail);
  }
}

function* later(vm: Vm, closure: Closure, args: Value[], pauses: boolean): Call {
  if (pauses) {
    yield pause;
    vm.beginSlice();
  }
  return yield* asCall(enter(vm, closure, args));
}

function frameOf(closure: Closure, code: Code, args: Value[], parent: Frame | null): Frame {
  const count = args.length;
  if (count < code.min || count > code.max) wrongArity(closure, count);
  const frame: Frame = new Array(code.size);
  frame[CAPTURED] = closure.captured;
  frame[POSITION] = 0;
  frame[PARENT] = parent;
  frame[CLOSURE] = closure;
  const { positional } = code;
  for (let at = 0; at < positional; at++) frame[FIRST_SLOT + at] = at < count ? args[at] : null;
  if (code.rest === "tuple")
    frame[FIRST_SLOT + positional] = count > positional ? new Tuple(args.slice(positional)) : emptyTuple;
  else if (code.rest === "struct") frame[FIRST_SLOT + positional] = restStruct(args, positional);
  if (code.self >= 0) frame[code.self] = closure;
  return frame;
}

function restStruct(args: Value[], from: number): Struct {
  const struct = new Struct();
  for (let at = from; at + 1 < args.length; at += 2) struct.put(args[at] as Value, args[at + 1] as Value);
  return struct;
}

/** Raises what calling a function with a wrong number of arguments raises. */
export function wrongArity(
  callee: Value & { prototype?: { min: number; max: number } },
  count: number,
): never {
  const { min, max } = (callee as Closure).prototype;
  arityError(callee, min, max, count);
}

export function arityError(callee: Value, min: number, max: number, count: number): never {
  const bound = min === max ? "" : count < min ? "at least " : "at most ";
  const limit = count < min ? min : max;
  panic(`${show(callee)} called with ${count} argument${count === 1 ? "" : "s"}, expected ${bound}${limit}`);
}

/** The error, with a line for the function that it passes through. */
function traced(error: unknown, code: Code, frame: Frame, tail: boolean): unknown {
  if (isStackOverflow(error)) return error;
  if (error instanceof JanetError && error.trace.length < 1_000) {
    const position = frame[POSITION] as number;
    error.trace.push({
      name: code.name,
      source: code.source,
      line: position === 0 ? code.line : Math.floor(position / 65_536),
      column: position === 0 ? code.column : position % 65_536,
      native: false,
      tail,
      closure: frame[CLOSURE],
    });
  }
  return error;
}

/** The JS stack is full. Asked where it is, so with the least of means. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}

/** The Janet error for a JS error that says that the stack, the length of a string or memory is used up; null for any other. */
export function outOfRoom(error: unknown): JanetError | null {
  if (!(error instanceof RangeError)) return null;
  return new JanetError(isStackOverflow(error) ? "stack overflow" : "out of memory");
}
