import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { resolve } from "node:path";
import { show } from "../../print/describe.ts";
import { pretty } from "../../print/pretty.ts";
import { Abstract, type AbstractType } from "../../values/abstract.ts";
import { toBytes, toText } from "../../values/bytes.ts";
import type { Call } from "../../values/functions.ts";
import { Kw, kw } from "../../values/names.ts";
import { Tuple } from "../../values/sequences.ts";
import { type Dictionary, Struct, Table } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { JanetError, panic } from "../../vm/janet-error.ts";
import type { Signal } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { badSlot, bytesAt, indexedAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { cstringAt, denied, followed, reason } from "./access.ts";
import { variables } from "./machine.ts";
import { keepOpen } from "./open.ts";
import { Redirections, type Slot } from "./redirect.ts";
import type { JStream } from "./stream.ts";

/** `os/execute`, `os/spawn`, `os/shell`, `os/proc-*`. */
export function install(core: Registrar): void {
  core.cgen(
    "os/execute",
    1,
    3,
    "(os/execute args &opt flags env)",
    "Runs a program and waits for its end; its exit status. Flags: p searches PATH, e sets the environment, x raises an error unless the status is 0.",
    function* (args, vm) {
      const proc = yield* begin(args, vm);
      return yield* wait(proc);
    },
  );
  core.cgen(
    "os/spawn",
    1,
    3,
    "(os/spawn args &opt flags env)",
    "Starts a program and does not wait for it. With :pipe as :in, :out or :err of `env` these are streams of the process.",
    function* (args, vm) {
      return new Abstract(processType, yield* begin(args, vm));
    },
  );
  core.cgen(
    "os/shell",
    0,
    1,
    "(os/shell &opt str)",
    "Lets the shell run a command and waits for its end; its exit status. Without a command: whether there is a shell.",
    function* (args, vm) {
      if ((args[0] ?? null) === null) return true;
      const command = cstringAt(args, 0);
      const words = process.platform === "win32" ? ["cmd", "/c", command] : ["/bin/sh", "-c", command];
      return yield* wait(yield* begin([new Tuple(words), kw("p")], vm));
    },
  );
  core.cgen(
    "os/proc-wait",
    1,
    1,
    "(os/proc-wait proc)",
    "Waits for the end of a process; its exit status.",
    (args) => wait(processAt(args, 0)),
  );
  core.cgen(
    "os/proc-kill",
    1,
    3,
    "(os/proc-kill proc &opt wait signal)",
    "Ends a process by a signal such as :term, :kill unless given; with `wait` its exit status, else the process.",
    function* (args) {
      const proc = processAt(args, 0);
      const signal = signalAt(args, 2);
      if (proc.status !== null) panic("cannot kill process that has already finished");
      proc.child.kill(signal);
      if (truthy(args[1] ?? null)) return yield* wait(proc);
      return args[0] as Value;
    },
  );
  core.cgen(
    "os/proc-close",
    1,
    1,
    "(os/proc-close proc)",
    "Closes the streams of a process and waits for its end; its exit status, nil when it was waited for already.",
    function* (args) {
      const proc = processAt(args, 0);
      for (const stream of [proc.in, proc.out, proc.err]) stream?.data.close();
      return proc.awaited ? null : yield* wait(proc);
    },
  );
  for (const method of ["wait", "kill", "close"]) methods.set(method, core.find(`os/proc-${method}`));
}

interface Process {
  child: ChildProcess;
  /** Null while it runs. */
  status: number | null;
  awaited: boolean;
  raises: boolean;
  in: Abstract<JStream> | null;
  out: Abstract<JStream> | null;
  err: Abstract<JStream> | null;
  /** It has ended, and what it said has arrived. */
  ended: Promise<unknown>;
}

const methods = new Map<string, Value>();

const processType: AbstractType<Process> = {
  name: "core/process",
  get(proc, key) {
    if (!(key instanceof Kw)) return undefined;
    if (key.name === "in" || key.name === "out" || key.name === "err") return proc[key.name];
    if (key.name === "pid") return proc.child.pid ?? null;
    if (key.name === "return-code") return proc.status;
    return methods.get(key.name);
  },
};

function processAt(args: readonly Value[], at: number): Process {
  const value = args[at] ?? null;
  return value instanceof Abstract && value.type === processType
    ? (value.data as Process)
    : badSlot(args, at, "core/process");
}

function* begin(args: readonly Value[], vm: Vm): Generator<Signal, Process, Value> {
  const words = indexedAt(args, 0).map((_, at, all) => {
    const word = bytesAt(all, at);
    return word.includes("\0") ? panic("string contains embedded 0s") : toText(word);
  });
  const [program] = words;
  if (program === undefined) return panic("expected at least 1 command line argument");
  const flags = flagsAt(args, 1);
  const options = (args[2] ?? null) === null ? null : dictionary(args, 2);
  const started =
    flags.includes("p") || program.includes("/") ? located(vm, program) : resolve(vm.host.cwd, program);
  const env = flags.includes("e") && options ? environmentOf(options) : variables(vm);
  if (!vm.host.capabilities.subprocess?.([started, ...words.slice(1)], env))
    denied("starting programs", program);
  const end = (slot: Slot) => options?.get(kw(slot)) ?? null;
  const redirections = new Redirections({ in: end("in"), out: end("out"), err: end("err") }, vm);
  vm.host.flush?.();
  const child = spawn(started, words.slice(1), {
    argv0: program,
    cwd: vm.host.cwd,
    env,
    stdio: redirections.stdio,
  });
  const { done, ...held } = redirections.connect(child);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const proc: Process = {
    child,
    status: null,
    awaited: false,
    raises: flags.includes("x"),
    ...held,
    ended: Promise.all([exited, done]),
  };
  const release = keepOpen(vm, () => child.kill("SIGKILL"));
  child.once("exit", (code, signal) => {
    release();
    proc.status = code ?? 128 + (constants.signals[signal ?? "SIGKILL"] ?? 0);
  });
  yield {
    kind: "wait",
    begin(started, failed) {
      child.once("spawn", () => started(null));
      child.once("error", (error) => {
        release();
        failed(new JanetError(`${pretty(args[0] as Value)}: ${reason(error)}`));
      });
      return undefined;
    },
  };
  return proc;
}

function located(vm: Vm, program: string): string {
  return program.includes("/") ? followed(vm, toBytes(program)) : program;
}

function* wait(proc: Process): Call {
  if (proc.awaited) panic("cannot wait twice on a process");
  proc.awaited = true;
  yield {
    kind: "wait",
    begin(resolve) {
      void proc.ended.then(() => resolve(null));
      return undefined;
    },
  };
  if (proc.raises && proc.status !== 0) panic(`command failed with non-zero exit code ${proc.status}`);
  return proc.status;
}

function flagsAt(args: readonly Value[], at: number): string {
  const value = args[at] ?? null;
  if (value === null) return "";
  return value instanceof Kw ? value.name : badSlot(args, at, "keyword");
}

function dictionary(args: readonly Value[], at: number): Dictionary {
  const value = args[at] ?? null;
  return value instanceof Table || value instanceof Struct ? value : badSlot(args, at, "table or struct");
}

function environmentOf(options: Dictionary): Record<string, string> {
  const environment: Record<string, string> = {};
  for (let slot = 0; slot < options.slots; slot++) {
    if (!options.liveAt(slot)) continue;
    const [name, value] = [options.keyAt(slot), options.valueAt(slot)];
    if (typeof name === "string" && typeof value === "string" && !/[\0=]/.test(name) && !value.includes("\0"))
      environment[toText(name)] = toText(value);
  }
  return environment;
}

function signalAt(args: readonly Value[], at: number): NodeJS.Signals {
  const value = args[at] ?? null;
  if (value === null) return "SIGKILL";
  if (!(value instanceof Kw)) return badSlot(args, at, "keyword");
  const name = `SIG${value.name.toUpperCase()}`;
  return name in constants.signals ? (name as NodeJS.Signals) : panic(`undefined signal ${show(value)}`);
}
