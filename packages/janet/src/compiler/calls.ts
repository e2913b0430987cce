import { show } from "../print/describe.ts";
import { Abstract } from "../values/abstract.ts";
import { Closure, Native } from "../values/functions.ts";
import { Kw } from "../values/names.ts";
import type { Tuple } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import { invoke } from "../vm/call.ts";
import { type Frame, POSITION, TAIL } from "../vm/code.ts";
import { enter } from "../vm/invoke.ts";
import { after, begin, isCall, type Step } from "../vm/step.ts";
import type { Vm } from "../vm/vm.ts";
import { type Arguments, compileArguments } from "./arguments.ts";
import type { Compiler } from "./compile.ts";
import { inlined } from "./inline.ts";
import { type Node, operand, type Place } from "./node.ts";

/** A form that is neither special nor a macro's. */
export function compileCall(compiler: Compiler, form: Tuple, place: Place): Node {
  const head = compiler.value(form.items[0] as Value, operand);
  const args = compileArguments(compiler, form.items.slice(1));
  if (!head.constant) return dynamicCall(compiler, head, args, place);
  const callee = head.constant.value;
  checkCount(compiler, callee, args);
  if (callee instanceof Native) {
    return inlined(compiler.vm, callee, args, compiler.position) ?? nativeCall(compiler, callee, args);
  }
  if (callee instanceof Closure) return closureCall(compiler, callee, args, place);
  return dynamicCall(compiler, head, args, place);
}

/** What is known to be called with too few or too many arguments is refused. */
function checkCount(compiler: Compiler, callee: Value, args: Arguments): void {
  let min = 0;
  let max = Number.POSITIVE_INFINITY;
  const count = args.fixed;
  if (callee instanceof Closure) ({ min, max } = callee.prototype);
  else if (callee instanceof Native) {
    if (callee.kind === "cfunction") return;
    ({ min, max } = callee);
  } else if (callee === null || callee instanceof Abstract) return;
  else if (callee instanceof Kw) min = 1;
  else {
    if (!args.spliced && count !== 1) compiler.fail(`${show(callee)} expects 1 argument, got ${count}`);
    return;
  }
  if (count < min && !args.spliced)
    compiler.fail(`${show(callee)} expects at least ${min} ${plural(min)}, got ${count}`);
  if (count > max) {
    const given = args.spliced ? `at least ${count}` : String(count);
    compiler.fail(`${show(callee)} expects at most ${max} ${plural(max)}, got ${given}`);
  }
}

function plural(count: number): string {
  return count === 1 ? "argument" : "arguments";
}

/** A call of a native function that is known. */
function nativeCall(compiler: Compiler, native: Native, args: Arguments): Node {
  const { vm, position } = compiler;
  const { run, gen, min, max } = native;
  const fits = !args.spliced && args.fixed >= min && args.fixed <= max;
  if (run !== null && fits && args.plain) {
    const list = args.plainly;
    return {
      plain: true,
      run: (frame) => {
        const values = list(frame);
        frame[POSITION] = position;
        return run(values, vm);
      },
    };
  }
  const apply =
    fits && run !== null
      ? (values: Value[], frame: Frame): Step => {
          frame[POSITION] = position;
          return run(values, vm);
        }
      : fits && gen !== null
        ? (values: Value[], frame: Frame): Step => {
            frame[POSITION] = position;
            return begin(gen(values, vm));
          }
        : (values: Value[], frame: Frame): Step => {
            frame[POSITION] = position;
            return invoke(vm, native, values);
          };
  return withArguments(args, apply);
}

function closureCall(compiler: Compiler, closure: Closure, args: Arguments, place: Place): Node {
  const { vm, position } = compiler;
  return withArguments(
    args,
    place.tail
      ? (values, frame) => {
          frame[POSITION] = position;
          return leaveTo(vm, closure, values);
        }
      : (values, frame) => {
          frame[POSITION] = position;
          return enter(vm, closure, values);
        },
  );
}

/** Leaves a call to the caller of the running function. */
function leaveTo(vm: Vm, closure: Closure, args: Value[]): Step {
  // A wrong number of arguments is the error of this function.
  const { min, max } = closure.prototype;
  if (args.length < min || args.length > max) return enter(vm, closure, args);
  vm.tailCallee = closure;
  vm.tailArgs = args;
  return TAIL;
}

function withArguments(args: Arguments, apply: (values: Value[], frame: Frame) => Step): Node {
  if (args.plain) {
    const list = args.plainly;
    return { plain: false, run: (frame) => apply(list(frame), frame) };
  }
  const list = args.run;
  const finish = (values: Value, frame: Frame) => apply(values as unknown as Value[], frame);
  return {
    plain: false,
    run: (frame) => {
      const values = list(frame);
      return Array.isArray(values) ? apply(values, frame) : after(values, finish, frame);
    },
  };
}

/** A call of what is known only when it runs. */
function dynamicCall(compiler: Compiler, head: Node, args: Arguments, place: Place): Node {
  const { vm, position } = compiler;
  const apply = place.tail
    ? (callee: Value, values: Value[], frame: Frame): Step => {
        frame[POSITION] = position;
        return callee instanceof Closure ? leaveTo(vm, callee, values) : invoke(vm, callee, values);
      }
    : (callee: Value, values: Value[], frame: Frame): Step => {
        frame[POSITION] = position;
        return callee instanceof Closure ? enter(vm, callee, values) : invoke(vm, callee, values);
      };
  if (head.plain && args.plain) {
    const callee = head.run as (frame: Frame) => Value;
    const list = args.plainly;
    return { plain: false, run: (frame) => apply(callee(frame), list(frame), frame) };
  }
  const list = args.run;
  const withCallee = (callee: Value, frame: Frame): Step => {
    const values = list(frame);
    if (Array.isArray(values)) return apply(callee, values, frame);
    return after(values, (finished) => apply(callee, finished as unknown as Value[], frame), null);
  };
  return {
    plain: false,
    run: (frame) => {
      const callee = head.run(frame);
      return isCall(callee) ? after(callee, withCallee, frame) : withCallee(callee, frame);
    },
  };
}
