import { textOf } from "../print/describe.ts";
import { Closure } from "../values/functions.ts";
import { kw, Sym } from "../values/names.ts";
import type { Tuple } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import { callValue, finishNow } from "../vm/call.ts";
import { Fiber } from "../vm/fiber.ts";
import { resume } from "../vm/fibers.ts";
import { JanetError } from "../vm/janet-error.ts";
import { macroOf } from "./bindings.ts";
import type { Compiler } from "./compile.ts";
import { CompileError } from "./error.ts";

const macroForm = kw("macro-form");
const macroLints = kw("macro-lints");

/** What the macro that heads a form makes of it; undefined: there is none. */
export function expand(compiler: Compiler, form: Tuple): Value | undefined {
  const head = form.items[0] as Value;
  if (!(head instanceof Sym)) return undefined;
  const macro = macroOf(compiler, head);
  if (macro === undefined) return undefined;
  const { vm, env, line, column } = compiler;
  const args = form.items.slice(1);
  const { min, max } = macro instanceof Closure ? macro.prototype : macro;
  if (args.length < min || args.length > max) {
    const bound = args.length < min ? `at least ${min}` : `at most ${max}`;
    compiler.fail(`macro arity mismatch, expected ${bound}, got ${args.length}`);
  }
  // Every signal of a macro stops it here.
  const fiber = new Fiber(macro, -1);
  fiber.env = env;
  const oldForm = env.rawGet(macroForm);
  const oldLints = env.rawGet(macroLints);
  env.put(macroForm, form);
  if (compiler.lints) env.put(macroLints, compiler.lints);
  const { depth, top, fiber: around } = vm;
  try {
    fiber.call = callValue(vm, macro, args);
    const made = finishNow(vm, resume(vm, fiber, null));
    if (fiber.status === "dead") return made;
    throw new CompileError(`(macro) ${textOf(made)}`, line, column, fiber);
  } catch (error) {
    // It waited for something outside of Janet.
    if (error instanceof JanetError)
      throw new CompileError(`(macro) ${textOf(error.value)}`, line, column, fiber);
    throw error;
  } finally {
    vm.depth = depth;
    vm.top = top;
    vm.fiber = around;
    env.put(macroForm, oldForm);
    env.put(macroLints, oldLints);
  }
}
