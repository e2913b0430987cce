import { compile } from "../compiler/compile.ts";
import { CompileError } from "../compiler/error.ts";
import { Parser } from "../reader/parser.ts";
import { type Call, type Closure, Native } from "../values/functions.ts";
import { kw } from "../values/names.ts";
import type { Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { callValue } from "../vm/call.ts";
import type { Fiber } from "../vm/fiber.ts";
import { canResume, makeFiber, resume } from "../vm/fibers.ts";
import { type Signal, signals } from "../vm/signal.ts";
import type { Vm } from "../vm/vm.ts";

/** Where a form could not be read or compiled. `words`: Janet's, in bytes; line and column as Janet counts them. */
export interface SourceError {
  phase: "parse" | "compile";
  words: string;
  line: number;
  column: number;
  /** The fiber of a macro that failed. */
  fiber: Fiber | null;
}

/** How the forms of a source are run. What is absent is done as Janet does by itself. */
export interface Running {
  env: Table;
  /** The name of the source in positions; a text in bytes, nil, or what a program gave as `:source`. */
  name: Value;
  parser?: Parser;
  /** The next piece of the source; null at its end. */
  chunk: (parser: Parser) => Generator<Signal, string | null, Value>;
  /** The next form in place of the parser's; undefined at the end. */
  read?: () => Call;
  expander?: Value;
  evaluator?: Value;
  /** As `fiber/new` masks them. */
  mask?: number;
  onParseError(parser: Parser, error: SourceError): Call;
  onCompileError(error: SourceError): Call;
  /** A form's fiber has stopped, with this value; its result resumes the fiber if it can go on. */
  onStatus(fiber: Fiber, value: Value): Call;
}

/** Errors, debug, yields and all user signals. */
export const allSignals = 0x3ffe;

const keys = { exit: kw("exit"), exitValue: kw("exit-value") };

/** A piece of source that is there as a whole. */
export function whole(source: string): Running["chunk"] {
  let left: string | null = source;
  // biome-ignore lint/correctness/useYield: other sources wait for their next piece
  return function* piece() {
    const now = left;
    left = null;
    return now;
  };
}

/** Reads, compiles and runs form by form, each in a fiber of its own whose environment is `env`. */
export function* runSource(vm: Vm, running: Running): Call {
  const { env } = running;
  if (running.read) {
    for (;;) {
      const form = yield* running.read();
      yield* runForm(vm, running, form, 0, 0);
      if (truthy(env.get(keys.exit))) return exitValue(env);
    }
  }
  const parser = running.parser ?? new Parser();
  let ended = false;
  while (!truthy(env.get(keys.exit))) {
    const form = parser.produce();
    if (form) {
      yield* runForm(vm, running, form.value, form.line, form.column);
      continue;
    }
    if (yield* parseFailure(running, parser)) continue;
    if (ended) break;
    let piece = yield* running.chunk(parser);
    if (piece === null) {
      ended = true;
      parser.eof();
      continue;
    }
    while (piece !== "") {
      const used = parser.consume(piece);
      piece = piece.slice(used);
      // What was read before an error runs before the error is told.
      for (let next = parser.produce(); next; next = parser.produce()) {
        yield* runForm(vm, running, next.value, next.line, next.column);
        if (truthy(env.get(keys.exit))) return exitValue(env);
      }
      if (!(yield* parseFailure(running, parser))) continue;
      if (truthy(env.get(keys.exit))) return exitValue(env);
    }
  }
  return exitValue(env);
}

/** Tells of the parser's error, if it has one, and clears it. The handler sees the parser with its error. */
function* parseFailure(running: Running, parser: Parser): Generator<Signal, boolean, Value> {
  const words = parser.peekError();
  if (words === null) return false;
  const { line, column } = parser;
  yield* running.onParseError(parser, { phase: "parse", words, line, column, fiber: null });
  parser.error();
  return true;
}

function exitValue(env: Table): Value {
  return env.get(keys.exitValue) ?? env;
}

/** A form as a closure without parameters. @throws CompileError */
function compiled(vm: Vm, form: Value, { env, name }: Running): Closure {
  return compile(vm, form, env, typeof name === "string" ? name : null);
}

/** Compiles and runs one form; line and column are where it begins. */
export function* runForm(vm: Vm, running: Running, form: Value, line: number, column: number): Call {
  let failed: SourceError | null = null;
  const thunk = new Native("function", "thunk", 0, 0, null, function* (): Call {
    const { expander, evaluator } = running;
    const expanded = expander ? yield* callValue(vm, expander, [form]) : form;
    let closure: Closure;
    try {
      closure = compiled(vm, expanded, running);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      failed = {
        phase: "compile",
        words: error.words,
        line: error.line >= 0 ? error.line : line,
        column: error.line >= 0 ? error.column : column,
        fiber: error.fiber,
      };
      return yield* running.onCompileError(failed);
    }
    if (evaluator) return yield* callValue(vm, evaluator, [closure, form, running.env, running.name]);
    return yield* callValue(vm, closure, []);
  });
  const fiber = makeFiber(vm, thunk, running.mask ?? allSignals & ~(1 << signals.ok), running.env);
  let input: Value = null;
  while (canResume(fiber)) {
    const value: Value = yield* resume(vm, fiber, input);
    if (!failed) input = yield* running.onStatus(fiber, value);
  }
  return null;
}
