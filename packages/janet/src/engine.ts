import { makeVm } from "./core/core.ts";
import { closeAll } from "./core/os/open.ts";
import { traceOf } from "./modules/report.ts";
import { runSource, type SourceError, whole } from "./modules/run-source.ts";
import { show } from "./print/describe.ts";
import { pretty } from "./print/pretty.ts";
import { toBytes, toText } from "./values/bytes.ts";
import { type Call, Native } from "./values/functions.ts";
import { kw, sym } from "./values/names.ts";
import { JArray } from "./values/sequences.ts";
import { Table } from "./values/tables.ts";
import type { Value } from "./values/value.ts";
import { callValue } from "./vm/call.ts";
import type { Fiber } from "./vm/fiber.ts";
import { makeFiber } from "./vm/fibers.ts";
import type { Host } from "./vm/host.ts";
import { Interrupted, JanetError } from "./vm/janet-error.ts";
import type { RunLimits } from "./vm/tasks.ts";
import type { Vm } from "./vm/vm.ts";

/** A function of the host that programs can call. It gets Janet values and gives one, or a promise of one. */
export type HostFunction = (args: Value[], call: { fiber: Fiber | null }) => Value | Promise<Value>;

export interface BindOptions {
  /** The call as docs show it: `(host/ask question)`. */
  usage?: string;
  /** What it does, in sentences. */
  doc?: string;
  /** How many arguments it takes; any number unless given. A wrong number is a Janet error. */
  min?: number;
  max?: number;
}

export interface EvaluateOptions extends RunLimits {
  /** Where its definitions go; a new environment unless given. */
  environment?: Table;
  /** The name of the source in errors and traces, such as a file's path. */
  name?: string;
}

export interface CallOptions extends RunLimits {
  /** Gives the dynamic bindings; the core's unless given. */
  environment?: Table;
}

/** What went wrong in a program, in text. */
export class EvaluationError extends Error {
  /** Where it stopped: reading, compiling or running. */
  readonly phase: "parse" | "compile" | "run";
  /** The error value; for the first two phases Janet's words, in bytes. */
  readonly value: Value;
  /** 1-based, as Janet counts them; 0: unknown. */
  readonly line: number;
  readonly column: number;
  /** The name of the source, null when it has none. */
  readonly source: string | null;
  /** The form at the top of the source that could not be compiled or run, on one line and shortened; null in a call. */
  readonly form: string | null;
  /** Janet's own report with the stack trace, several lines. */
  readonly report: string;
  constructor(
    facts: Pick<EvaluationError, "phase" | "value" | "line" | "column" | "source" | "form" | "report">,
  ) {
    super(typeof facts.value === "string" ? toText(facts.value) : toText(show(facts.value)));
    this.phase = facts.phase;
    this.value = facts.value;
    this.line = facts.line;
    this.column = facts.column;
    this.source = facts.source;
    this.form = facts.form;
    this.report = facts.report;
  }
}

export interface EngineOptions {
  /** What is left out is denied, absent or thrown away. */
  host?: Partial<Host>;
  /** For every evaluation and call that says nothing else. */
  limits?: Pick<RunLimits, "steps" | "millis">;
  /** Told of an error in a task that runs in the background; as Janet's report. */
  onBackgroundError?: (report: string) => void;
}

/**
 * A Janet of its own: core, modules and tasks are shared by its environments only. Many calls may be under way at once; one that
 * waits (for time, a channel, a promise of the host) lets the others go on.
 */
export interface Engine {
  /** The state that native functions are given. */
  readonly vm: Vm;
  /** An environment for a program: it sees the core, and its definitions are its own. */
  newEnvironment(): Table;
  /**
   * Reads, compiles and runs forms one after the other up to the first error. @returns the value of the last form
   * @throws EvaluationError, {@link Interrupted} when a limit is reached
   */
  evaluate(source: string, options?: EvaluateOptions): Promise<Value>;
  /** Binds a name to a Janet value, or to a function of the host. */
  bind(environment: Table, name: string, value: Value | HostFunction, options?: BindOptions): void;
  /** The value that a name of an environment is bound to, its own or the core's; undefined when it is not. */
  lookup(environment: Table, name: string): Value | undefined;
  /** Calls a function, or what else Janet lets be called. @throws EvaluationError, {@link Interrupted} */
  call(callee: Value, args: Value[], options?: CallOptions): Promise<Value>;
  /** Ends all tasks and closes files, streams and programs. Nothing may be run after it. */
  dispose(): void;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const { limits = {} } = options;
  const host: Host = {
    capabilities: {},
    stdout: () => {},
    stderr: () => {},
    cwd: "/",
    args: [],
    ...options.host,
  };
  const vm = makeVm(host);
  vm.tasks.onFailure = (task, error) => {
    if (error instanceof JanetError) options.onBackgroundError?.(toText(traceOf(task.fiber, error.value)));
    else options.onBackgroundError?.(error instanceof Interrupted ? "interrupted" : String(error));
  };
  const newEnvironment = () => {
    const env = new Table();
    env.proto = vm.core;
    return env;
  };
  let disposed = false;

  async function run(
    call: () => Call,
    environment: Table,
    own: RunLimits,
    name: string | null,
  ): Promise<Value> {
    if (disposed) throw new Error("The engine is disposed.");
    const fiber = makeFiber(vm, new Native("function", "run", 0, 1, null, call), 0, environment);
    try {
      return await vm.tasks.run(fiber, { ...limits, ...own });
    } catch (error) {
      throw error instanceof JanetError ? failed(error, name, null) : error;
    }
  }

  return {
    vm,
    newEnvironment,
    evaluate(source, { environment = newEnvironment(), name, ...own } = {}) {
      return run(
        () => evaluateForms(vm, toBytes(source), environment, name ?? null),
        environment,
        own,
        name ?? null,
      );
    },
    bind(environment, name, value, { usage = "", doc = "", min = 0, max = Number.POSITIVE_INFINITY } = {}) {
      const binding = new Table();
      binding.put(kw("value"), isHostFunction(value) ? hostFunction(name, min, max, value) : value);
      binding.put(kw("doc"), toBytes([usage, doc].filter((part) => part !== "").join("\n\n")) || null);
      environment.put(sym(toBytes(name)), binding);
    },
    lookup(environment, name) {
      const binding = environment.get(sym(toBytes(name)));
      if (!(binding instanceof Table)) return undefined;
      const cell = binding.get(kw("ref"));
      return cell instanceof JArray ? (cell.items[0] ?? null) : binding.get(kw("value"));
    },
    call(callee, args, { environment = newEnvironment(), ...own } = {}) {
      return run(() => callValue(vm, callee, args), environment, own, null);
    },
    dispose() {
      disposed = true;
      vm.tasks.interruptAll();
      closeAll(vm);
    },
  };
}

/** A Janet error for the host. */
function failed(error: JanetError, name: string | null, form: Value): EvaluationError {
  const [first] = error.trace;
  return new EvaluationError({
    phase: "run",
    value: error.value,
    line: Math.max(first?.line ?? 0, 0),
    column: Math.max(first?.column ?? 0, 0),
    source: first?.source == null ? name : toText(first.source),
    form: formText(form),
    report: toText(traceOf({ status: "error", trace: error.trace }, error.value)),
  });
}

function formText(form: Value): string | null {
  if (form === null) return null;
  const text = toText(pretty(form));
  return text.length > FORM ? `${text.slice(0, FORM)}…` : text;
}

/** Characters of a form in an error. */
const FORM = 200;

function* evaluateForms(vm: Vm, source: string, env: Table, name: string | null): Call {
  let last: Value = null;
  let current: Value = null;
  const remember = ([form = null]: Value[]): Value => {
    current = form;
    return form;
  };
  const refuse = (error: SourceError): never => {
    const { phase, words, line, column } = error;
    const place = `${name ?? "<anonymous>"}:${line}:${column}`;
    throw new EvaluationError({
      phase,
      value: words,
      line,
      column,
      source: name,
      form: phase === "parse" ? null : formText(current),
      report: toText(`${place}: ${phase} error: ${words}\n${error.fiber ? traceOf(error.fiber, words) : ""}`),
    });
  };
  try {
    yield* runSource(vm, {
      env,
      name: name === null ? null : toBytes(name),
      chunk: whole(source),
      expander: new Native("function", "remember", 1, 1, remember, null),
      // The first error ends it, and what a form signals goes on to the host.
      mask: 0,
      // biome-ignore lint/correctness/useYield: others wait
      *onParseError(_parser, error) {
        return refuse(error);
      },
      // biome-ignore lint/correctness/useYield: others wait
      *onCompileError(error) {
        return refuse(error);
      },
      // biome-ignore lint/correctness/useYield: others wait
      *onStatus(_fiber, value) {
        last = value;
        return null;
      },
    });
  } catch (error) {
    throw error instanceof JanetError ? failed(error, name, current) : error;
  }
  return last;
}

function hostFunction(name: string, min: number, max: number, run: HostFunction): Native {
  return new Native("cfunction", toBytes(name), min, max, null, function* (args, vm): Call {
    let result: Value | Promise<Value>;
    try {
      result = run(args, { fiber: vm.fiber });
    } catch (error) {
      throw asJanetError(error);
    }
    if (!(result instanceof Promise)) return result ?? null;
    const promise = result;
    return yield {
      kind: "wait",
      begin(resolve, reject) {
        promise.then(
          (value) => resolve(value ?? null),
          (error) => reject(asJanetError(error)),
        );
        return undefined;
      },
    };
  });
}

/** A host's error is a Janet error with its message, so that a program can catch it. */
function asJanetError(error: unknown): unknown {
  if (error instanceof JanetError || error instanceof Interrupted) return error;
  return new JanetError(toBytes(error instanceof Error ? error.message : String(error)));
}

function isHostFunction(value: Value | HostFunction): value is HostFunction {
  return typeof value === "function";
}
