import { Sym, sym } from "../values/names.ts";
import { putValue } from "../values/operators.ts";
import { Tuple } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import { BREAK, BreakThrown, CAPTURED, type Frame, POSITION } from "../vm/code.ts";
import { after, isCall, type Step } from "../vm/step.ts";
import { argumentsOf } from "./arguments.ts";
import { bindingOf } from "./bindings.ts";
import { ifNode, loopNode, sequence } from "./blocks.ts";
import type { Compiler } from "./compile.ts";
import { definition } from "./definitions.ts";
import { functionNode } from "./functions.ts";
import { made, quasiNode } from "./literals.ts";
import { constant, type Node, nil, operand, type Place, statement } from "./node.ts";
import type { Cell } from "./scope.ts";

type Special = (compiler: Compiler, form: Tuple, place: Place) => Node;

/** The forms that are no calls, by their heads. */
export const specials: ReadonlyMap<Sym, Special> = new Map<Sym, Special>([
  [sym("def"), (compiler, form) => definition(compiler, form, false)],
  [sym("var"), (compiler, form) => definition(compiler, form, true)],
  [sym("fn"), functionNode],
  [sym("do"), block],
  [sym("upscope"), (compiler, form, place) => sequence(compiler, form.items.slice(1), place)],
  [sym("quote"), (compiler, form) => constant(only(compiler, form, "quote"))],
  [sym("quasiquote"), (compiler, form) => quasiNode(compiler, only(compiler, form, "quasiquote"))],
  [sym("unquote"), (compiler) => compiler.fail("cannot use unquote here")],
  [sym("splice"), splice],
  [sym("if"), conditional],
  [sym("while"), loop],
  [sym("break"), leave],
  [sym("set"), assignment],
]);

function only(compiler: Compiler, form: Tuple, head: string): Value {
  if (form.items.length !== 2) compiler.fail(`expected 1 argument to ${head}`);
  return form.items[1] as Value;
}

function splice(compiler: Compiler, form: Tuple, place: Place): Node {
  if (!place.splice) {
    compiler.fail(
      "splice can only be used in function parameters and data constructors, it has no effect here",
    );
  }
  const inner = compiler.value(only(compiler, form, "splice"), operand);
  return { run: inner.run, plain: inner.plain, splice: true };
}

function block(compiler: Compiler, form: Tuple, place: Place): Node {
  const { scope } = compiler;
  scope.openBlock();
  const node = sequence(compiler, form.items.slice(1), place);
  scope.closeBlock();
  return node;
}

function conditional(compiler: Compiler, form: Tuple, place: Place): Node {
  const { items } = form;
  if (items.length < 3 || items.length > 4) compiler.fail("expected 2 or 3 arguments to if");
  const inside: Place = { tail: place.tail, flow: place.flow };
  const { scope } = compiler;
  scope.openBlock();
  const test = compiler.value(items[1] as Value, operand);
  scope.openBlock();
  const yes = compiler.value(items[2] as Value, inside);
  scope.closeBlock();
  scope.openBlock();
  const no = items.length < 4 ? nil : compiler.value(items[3] as Value, inside);
  scope.closeBlock();
  scope.closeBlock();
  return ifNode(test, yes, no);
}

function loop(compiler: Compiler, form: Tuple): Node {
  const { items } = form;
  if (items.length < 2) compiler.fail("expected at least 1 argument to while");
  const { scope } = compiler;
  const breakable = { thrown: false };
  scope.breakables.push(breakable);
  scope.openBlock();
  const test = compiler.value(items[1] as Value, operand);
  const body = sequence(compiler, items.slice(2), statement);
  scope.closeBlock();
  scope.breakables.pop();
  return loopNode(compiler.vm, test, body, breakable.thrown);
}

function leave(compiler: Compiler, form: Tuple, place: Place): Node {
  const { items } = form;
  if (items.length > 2) compiler.fail("expected at most 1 argument");
  const { vm, scope } = compiler;
  const value = items.length > 1 ? compiler.value(items[1] as Value, operand) : nil;
  const { run } = value;
  if (!place.flow) (scope.breakables.at(-1) as { thrown: boolean }).thrown = true;
  const finish = place.flow
    ? (given: Value): Step => {
        vm.broken = given;
        return BREAK;
      }
    : (given: Value): Step => {
        vm.broken = given;
        throw new BreakThrown();
      };
  return {
    plain: value.plain,
    breaks: place.flow,
    run: (frame) => {
      const step = run(frame);
      return isCall(step) ? after(step, finish, null) : finish(step);
    },
  };
}

function assignment(compiler: Compiler, form: Tuple): Node {
  const { items } = form;
  if (items.length !== 3) compiler.fail("expected 2 arguments to set");
  const target = items[1] as Value;
  if (target instanceof Tuple) return putNode(compiler, target, items[2] as Value);
  if (!(target instanceof Sym)) compiler.fail("expected symbol or tuple for l-value to set");
  const write = writer(compiler, target);
  const value = compiler.value(items[2] as Value, operand);
  const { run } = value;
  const finish = (given: Value, frame: Frame): Step => {
    write(frame, given);
    return given;
  };
  if (value.plain) {
    return {
      plain: true,
      run: (frame) => {
        const given = run(frame) as Value;
        write(frame, given);
        return given;
      },
    };
  }
  return {
    plain: false,
    run: (frame) => {
      const step = run(frame);
      return isCall(step) ? after(step, finish, frame) : finish(step, frame);
    },
  };
}

/** What sets a name. */
function writer(compiler: Compiler, name: Sym): (frame: Frame, value: Value) => void {
  const found = compiler.scope.find(name);
  if (found && found.kind !== "global") {
    if (!found.mutable) compiler.fail("cannot set constant");
    const { at } = found;
    return found.kind === "slot"
      ? (frame, value) => {
          (frame[at] as Cell).v = value;
        }
      : (frame, value) => {
          (frame[CAPTURED][at] as Cell).v = value;
        };
  }
  const binding = found
    ? { kind: "cell" as const, cell: found.cell, settable: true }
    : bindingOf(compiler, name);
  if (binding.kind === "constant" || !binding.settable) compiler.fail("cannot set constant");
  const { cell } = binding;
  return (_frame, value) => {
    cell.items[0] = value;
  };
}

/** `(set (ds key) value)`. */
function putNode(compiler: Compiler, target: Tuple, written: Value): Node {
  if (target.items.length !== 2) compiler.fail("expected 2 element tuple for l-value to set");
  const { position } = compiler;
  const nodes = [...target.items, written].map((each) => compiler.value(each, operand));
  const node = made(argumentsOf(nodes), (values) => {
    putValue(values[0] as Value, values[1] as Value, values[2] as Value);
    return values[2] as Value;
  });
  const { run } = node;
  return {
    plain: node.plain,
    run: (frame) => {
      frame[POSITION] = position;
      return run(frame);
    },
  };
}
