import { CompileError, compile } from "../../compiler/compile.ts";
import { ParseError, readAll } from "../../reader/read.ts";
import type { Call, Closure } from "../../values/functions.ts";
import { kw } from "../../values/names.ts";
import { JArray } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { callValue } from "../../vm/call.ts";
import { JanetError } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, bytesAt, optional, tableAt } from "../arguments.ts";
import { ownEnv } from "../fibers/fibers.ts";
import type { Registrar } from "../registrar.ts";

/** Compiles for a program: what is wrong is a Janet error with the words alone. */
export function compiled(vm: Vm, form: Value, env: Table, source: string | null = null): Closure {
  try {
    return compile(vm, form, env, source);
  } catch (error) {
    if (error instanceof CompileError) throw new JanetError(error.words);
    throw error;
  }
}

/** The table that `compile` gives for a form that cannot be compiled. */
export function failure(error: CompileError): Table {
  const table = new Table();
  table.put(kw("error"), error.words);
  if (error.line >= 0) {
    table.put(kw("line"), error.line);
    table.put(kw("column"), error.column);
  }
  if (error.fiber) table.put(kw("fiber"), error.fiber);
  return table;
}

/** `compile`, `eval` and `eval-string`. */
export function install(core: Registrar): void {
  core.cfun(
    "compile",
    1,
    4,
    "(compile ast &opt env source lints)",
    "Compiles a form to a function without parameters, or gives a table that says what is wrong.",
    (args, vm) => {
      const env = args.length > 1 && args[1] !== null ? tableAt(args, 1) : ownEnv(vm);
      const source = args.length > 2 && args[2] !== null ? bytesAt(args, 2) : null;
      const lints = args[3] ?? null;
      if (lints !== null && !(lints instanceof JArray)) return badSlot(args, 3, "array");
      try {
        return compile(vm, args[0] as Value, env, source, lints);
      } catch (error) {
        if (error instanceof CompileError) return failure(error);
        throw error;
      }
    },
  );
  core.gen("eval", 1, 2, "(eval form &opt env)", "Compiles a form and runs it.", (args, vm) =>
    evaluate(vm, args[0] as Value, optional(args, 1, tableAt, null)),
  );
  core.gen(
    "eval-string",
    1,
    2,
    "(eval-string str &opt env)",
    "Reads forms and runs them one after the other.",
    (args, vm) => evaluateString(vm, bytesAt(args, 0), optional(args, 1, tableAt, null)),
  );
}

function evaluate(vm: Vm, form: Value, env: Table | null): Call {
  return callValue(vm, compiled(vm, form, env ?? ownEnv(vm), "eval"), []);
}

/** All forms are read before the first one runs. */
function* evaluateString(vm: Vm, source: string, env: Table | null): Call {
  let value: Value = null;
  for (const form of readSource(source)) value = yield* evaluate(vm, form, env);
  return value;
}

function readSource(source: string): Value[] {
  try {
    return readAll(source);
  } catch (error) {
    if (error instanceof ParseError) throw new JanetError(error.message);
    throw error;
  }
}
