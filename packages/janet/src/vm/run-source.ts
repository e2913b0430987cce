import { CompileError, compile } from "../compiler/compile.ts";
import { ParseError, readForms } from "../reader/read.ts";
import { type Call, Native } from "../values/functions.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Fiber } from "./fiber.ts";
import { makeFiber, resume } from "./fibers.ts";
import type { Vm } from "./vm.ts";

/** Source that could not be read or compiled. The message is in bytes. */
export class SourceError extends Error {
  readonly phase: "parse" | "compile";
  readonly line: number;
  readonly column: number;
  /** The fiber of the macro that failed. */
  readonly fiber: Fiber | null;
  constructor(phase: SourceError["phase"], words: string, line: number, column: number, fiber: Fiber | null) {
    super(words);
    this.phase = phase;
    this.line = line;
    this.column = column;
    this.fiber = fiber;
  }
}

/** Reads, compiles and runs the forms of a source one after the other; gives the last one's value. @throws SourceError, JanetError */
export function* runForms(vm: Vm, bytes: string, env: Table, source: string | null): Call {
  let value: Value = null;
  const forms = readForms(bytes);
  for (;;) {
    const form = readOne(forms);
    if (!form) return value;
    let thunk: ReturnType<typeof compile>;
    try {
      thunk = compile(vm, form.value, env, source);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      const at = error.line < 0 ? form : error;
      throw new SourceError("compile", error.words, at.line, at.column, error.fiber);
    }
    value = yield* resume(vm, makeFiber(vm, thunk, 0, env), null);
  }
}

function readOne(forms: ReturnType<typeof readForms>) {
  try {
    const step = forms.next();
    return step.done ? null : step.value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new SourceError("parse", error.message, error.line, error.column, null);
  }
}

/** A fiber that runs a source: the root of a task. */
export function sourceFiber(vm: Vm, bytes: string, env: Table, source: string | null): Fiber {
  const run = new Native("function", "run", 0, 1, null, () => runForms(vm, bytes, env, source));
  return makeFiber(vm, run, 0, env);
}
