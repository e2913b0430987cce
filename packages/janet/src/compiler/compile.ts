import type { Closure } from "../values/functions.ts";
import type { JArray } from "../values/sequences.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { makeClosure } from "../vm/code.ts";
import type { Vm } from "../vm/vm.ts";
import { Compiler } from "./compiler.ts";
import { thunkCode } from "./functions.ts";

export { CompileError } from "./error.ts";

/**
 * Compiles a form to a function without parameters that runs it.
 * @param source a file's name for positions, or null
 * @param lints where warnings are put
 * @throws CompileError
 */
export function compile(
  vm: Vm,
  form: Value,
  env: Table,
  source: string | null = null,
  lints: JArray | null = null,
): Closure {
  return makeClosure(thunkCode(new Compiler(vm, env, source, lints), form), []);
}
