import { abstractAt, dictionaryAt } from "../core/arguments.ts";
import { parserType } from "../core/parser/parser-type.ts";
import type { Registrar } from "../core/registrar.ts";
import { Parser } from "../reader/parser.ts";
import { Abstract } from "../values/abstract.ts";
import { type Call, Native } from "../values/functions.ts";
import { Kw, kw, sym } from "../values/names.ts";
import { JBuffer } from "../values/sequences.ts";
import { Table, tableOf } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { callValue } from "../vm/call.ts";
import { Fiber } from "../vm/fiber.ts";
import { JanetError } from "../vm/janet-error.ts";
import { signals } from "../vm/signal.ts";
import type { Vm } from "../vm/vm.ts";
import { coreValue } from "./find.ts";
import { compileErrorText, parseErrorText, tell, traceOf } from "./report.ts";
import { allSignals, type Running, runSource, type SourceError } from "./run-source.ts";

/** `run-context`, `quit` and `repl`. */
export function install(core: Registrar): void {
  repl(core);
  core.gen(
    "run-context",
    1,
    1,
    "(run-context opts)",
    "Reads, compiles and runs a source form by form, with :env, :chunks, :source, :on-status, :on-compile-error, :on-parse-error, :evaluator, :expander, :parser, :read and :fiber-flags from `opts`.",
    runContext,
  );
  core.fun(
    "quit",
    0,
    1,
    "(quit &opt value)",
    "Ends the REPL or the context that runs after this form; it then gives this value.",
    (args, vm) => {
      const env = environmentOf(vm);
      env.put(kw("exit"), true);
      env.put(kw("exit-value"), args[0] ?? null);
      return null;
    },
  );
}

/** `repl`. */
function repl(core: Registrar): void {
  core.gen(
    "repl",
    0,
    5,
    "(repl &opt chunks onsignal env parser read)",
    "Reads forms, runs them and prints their values until the input ends or (quit); asks for lines unless chunks gives them.",
    function* (args, vm) {
      const [chunks = null, onStatus = null, given = null, parser = null, read = null] = args;
      const env = given instanceof Table ? given : new Table();
      if (!(given instanceof Table)) env.proto = vm.core;
      const show = new Native("function", "show", 2, 2, null, function* ([fiber = null, value = null]): Call {
        if (fiber instanceof Fiber && fiber.status !== "dead") tell(vm, traceOf(fiber, value));
        else {
          const binding = new Table();
          binding.put(kw("value"), value);
          env.put(sym("_"), binding);
          yield* callValue(vm, coreValue(vm, "printf"), [env.get(kw("pretty-format")) ?? "%q", value]);
        }
        return null;
      });
      const options: [Value, Value][] = [
        [kw("env"), env],
        [kw("chunks"), chunks],
        [kw("on-status"), onStatus ?? show],
        [kw("parser"), parser],
        [kw("read"), read],
        [kw("source"), "repl"],
      ];
      return yield* runContext([tableOf(options)], vm);
    },
  );
}

/** The environment of the running fiber, made when it has none. */
export function environmentOf(vm: Vm): Table {
  const { fiber } = vm;
  if (!fiber) return vm.core;
  fiber.env ??= new Table();
  return fiber.env;
}

function tableOr(value: Value | undefined, absent: Table): Table {
  return value instanceof Table ? value : absent;
}

/** The error of a fiber that failed, to be raised again with its trace. */
export function traced(fiber: Fiber, value: Value): JanetError {
  const error = new JanetError(value);
  error.trace.push(...fiber.trace);
  error.fiber = fiber;
  return error;
}

/** The mask of flags as `fiber/new` takes them. */
function signalMask(flags: string): number {
  let mask = 0;
  for (const flag of flags) {
    if (flag === "a") mask |= allSignals;
    else if (flag === "e") mask |= 1 << signals.error;
    else if (flag === "d") mask |= 1 << signals.debug;
    else if (flag === "y") mask |= 1 << signals.yield;
    else if (flag === "t") mask |= (1 << signals.error) | (0x1f << signals.user0);
    else if (flag === "u") mask |= 0x3ff << signals.user0;
    else if (flag >= "0" && flag <= "9") mask |= 1 << (signals.user0 + Number(flag));
  }
  return mask;
}

function* runContext(args: Value[], vm: Vm): Call {
  const options = dictionaryAt(args, 0);
  const option = (name: string): Value => options.get(kw(name));
  const env = tableOr(option("env"), environmentOf(vm));
  const name = option("source");
  const where =
    name === null ? "<anonymous>" : typeof name === "string" ? name : name instanceof Kw ? name.name : "";
  const parserValue = option("parser");
  const parser = parserValue === null ? new Parser() : abstractAt([parserValue], 0, parserType);
  const handle = parserValue instanceof Abstract ? parserValue : new Abstract(parserType, parser);
  const chunks = option("chunks");
  const flags = option("fiber-flags");
  const told = (handler: string, own: (error: SourceError) => void) =>
    function* (error: SourceError): Call {
      const given = option(handler);
      if (!truthy(given)) {
        own(error);
        return null;
      }
      return yield* callValue(vm, given, [error.words, error.fiber, where, error.line, error.column]);
    };
  const running: Running = {
    env,
    name: where,
    parser,
    mask: flags instanceof Kw ? signalMask(flags.name) : allSignals,
    expander: option("expander") ?? undefined,
    evaluator: option("evaluator") ?? undefined,
    *chunk() {
      const buffer = new JBuffer();
      if (chunks === null) yield* callValue(vm, coreValue(vm, "getline"), ["", buffer, env]);
      else yield* callValue(vm, chunks, [buffer, handle]);
      return buffer.length === 0 ? null : buffer.text();
    },
    *onParseError(_parser, error) {
      const given = option("on-parse-error");
      if (!truthy(given)) {
        tell(vm, `${parseErrorText(where, error)}\n`);
        return null;
      }
      return yield* callValue(vm, given, [handle, where]);
    },
    onCompileError: told("on-compile-error", (error) =>
      tell(vm, `${compileErrorText(where, error)}\n${error.fiber ? traceOf(error.fiber, error.words) : ""}`),
    ),
    *onStatus(fiber, value) {
      const given = option("on-status");
      if (truthy(given)) return yield* callValue(vm, given, [fiber, value]);
      if (fiber.status !== "dead") tell(vm, traceOf(fiber, value));
      return null;
    },
  };
  const read = option("read");
  if (truthy(read)) running.read = () => callValue(vm, read, [env, where]);
  return yield* runSource(vm, running);
}
