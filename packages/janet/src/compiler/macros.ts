import { show } from "../print/describe.ts";
import { Closure } from "../values/functions.ts";
import { kw, Sym } from "../values/names.ts";
import type { Tuple } from "../values/sequences.ts";
import type { Value } from "../values/value.ts";
import { finishNow, invoke } from "../vm/call.ts";
import { Fiber } from "../vm/fiber.ts";
import { isStackOverflow } from "../vm/invoke.ts";
import { JanetError } from "../vm/janet-error.ts";
import { isCall } from "../vm/step.ts";
import { macroOf } from "./bindings.ts";
import type { Compiler } from "./compiler.ts";
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
  const fiber = new Fiber(macro, -1);
  fiber.env = env;
  fiber.status = "alive";
  const { fiber: around, depth } = vm;
  const oldForm = env.rawGet(macroForm);
  const oldLints = env.rawGet(macroLints);
  env.put(macroForm, form);
  if (compiler.lints) env.put(macroLints, compiler.lints);
  vm.fiber = fiber;
  try {
    const step = invoke(vm, macro, args);
    return isCall(step) ? finishNow(vm, step) : step;
  } catch (raw) {
    const error = isStackOverflow(raw) ? new JanetError("stack overflow") : raw;
    if (!(error instanceof JanetError)) throw error;
    const { value } = error;
    fiber.status = "error";
    fiber.last = value;
    fiber.trace = error.trace;
    const words = typeof value === "string" ? value : show(value);
    throw new CompileError(`(macro) ${words}`, line, column, fiber);
  } finally {
    vm.fiber = around;
    vm.depth = depth;
    env.put(macroForm, oldForm);
    env.put(macroLints, oldLints);
  }
}
