import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { makeVm } from "../core/core.ts";
import { dofile } from "../modules/load.ts";
import { compileErrorText, parseErrorText, traceOf } from "../modules/report.ts";
import { runSource, whole } from "../modules/run-source.ts";
import { show } from "../print/describe.ts";
import { toBytes, toText } from "../values/bytes.ts";
import { type Call, Native } from "../values/functions.ts";
import { kw, sym } from "../values/names.ts";
import { JArray } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { callValue } from "../vm/call.ts";
import { makeFiber } from "../vm/fibers.ts";
import { Interrupted, JanetError } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import { type Action, type CommandLine, help, parseArguments } from "./arguments.ts";
import { runCases, serveCases } from "./case-runner.ts";
import { processHost } from "./host.ts";
import { startRepl } from "./repl.ts";

/** The command line `patchbay-janet`. Its exit status is 0, or 1 after an error, or that of `os/exit`. */
async function main(): Promise<void> {
  let line: CommandLine;
  try {
    line = parseArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
    return;
  }
  if (line.cases !== undefined) return await casesFrom(line.cases, line.limit);
  const host = processHost(line.args);
  const vm = makeVm(host);
  if (line.show === "help") return host.stdout(help);
  if (line.show === "version") return host.stdout(`${version(vm)}\n`);
  vm.tasks.onFailure = (task, error) => {
    if (error instanceof JanetError) host.stderr(traceOf(task.fiber, error.value));
    else host.stderr(`${toBytes(String(error))}\n`);
  };
  const env = new Table();
  env.proto = vm.core;
  env.put(kw("args"), new JArray(line.args.map(toBytes)));
  env.put(kw("executable"), toBytes(executable()));
  vm.core.put(kw("syspath"), toBytes(line.syspath ?? process.env.JANET_PATH ?? "/usr/local/lib/janet"));
  for (const action of line.actions) {
    const done = await perform(vm, env, action, line);
    if (!done && !line.persistent) {
      process.exitCode = 1;
      return;
    }
  }
}

/** The program that a script starts to run another one. */
function executable(): string {
  const places = ["../../bin", "../../packages/janet/bin"];
  const found = places
    .map((place) => join(import.meta.dirname, place, "patchbay-janet.mjs"))
    .find(existsSync);
  return found ?? "patchbay-janet";
}

function version(vm: Vm): string {
  const binding = vm.core.get(sym("janet/version"));
  const value = binding instanceof Table ? binding.get(kw("value")) : null;
  return typeof value === "string" ? value : "1.41";
}

/** @returns whether it went well */
async function perform(vm: Vm, env: Table, action: Action, line: CommandLine): Promise<boolean> {
  switch (action.kind) {
    case "eval":
      return await inFiber(vm, env, () => evaluate(vm, env, toBytes(action.code), "eval"));
    case "expression": {
      const args = line.args.map(toBytes);
      return await inFiber(vm, env, function* () {
        const thunk = yield* evaluate(vm, env, `(short-fn (${toBytes(action.code)}))`, "eval");
        return yield* callValue(vm, thunk, args);
      });
    }
    case "library":
      return await inFiber(vm, env, () => evaluate(vm, env, `(import* ${literal(action.path)})`, "eval"));
    case "compile": {
      const [source, image] = [action.source, action.image].map(literal);
      return await inFiber(vm, env, () =>
        evaluate(vm, env, `(spit ${image} (make-image (dofile ${source})))`, "compile"),
      );
    }
    case "stdin": {
      const source = readFileSync(0);
      return await inFiber(vm, env, () =>
        evaluate(vm, env, Array.from(source, (byte) => String.fromCharCode(byte)).join(""), "stdin"),
      );
    }
    case "script":
      return await inFiber(vm, env, () => script(vm, env, toBytes(action.path), line));
    case "repl":
      await startRepl(vm, env, line);
      return true;
  }
}

/** Runs something as the task that the program waits for; an error is told with its trace. */
async function inFiber(vm: Vm, env: Table, run: () => Call): Promise<boolean> {
  const fiber = makeFiber(vm, new Native("function", "run-main", 0, 1, null, run), 0, env);
  try {
    await vm.tasks.run(fiber);
    return true;
  } catch (error) {
    if (error instanceof Reported) return false;
    if (error instanceof JanetError)
      vm.host.stderr(traceOf({ status: "error", trace: error.trace }, error.value));
    else if (error instanceof Interrupted) vm.host.stderr("interrupted\n");
    else throw error;
    return false;
  }
}

/** An error of which the person has read already. */
class Reported extends Error {}

function* evaluate(vm: Vm, env: Table, source: string, name: string): Call {
  let last: Value = null;
  yield* runSource(vm, {
    env,
    name,
    chunk: whole(source),
    mask: 0,
    // biome-ignore lint/correctness/useYield: others wait
    *onParseError(_parser, error) {
      vm.host.stderr(`${parseErrorText(name, error)}\n`);
      throw new Reported();
    },
    // biome-ignore lint/correctness/useYield: others wait
    *onCompileError(error) {
      vm.host.stderr(
        `${compileErrorText(name, error)}\n${error.fiber ? traceOf(error.fiber, error.words) : ""}`,
      );
      throw new Reported();
    },
    // biome-ignore lint/correctness/useYield: others wait
    *onStatus(_fiber, value) {
      last = value;
      return null;
    },
  });
  return last;
}

/** A text as source of a Janet string. */
function literal(text: string): string {
  return show(toBytes(text));
}

/** Runs a file and then its `main`. An error in the file ends the process. */
function* script(vm: Vm, env: Table, path: string, line: CommandLine): Call {
  const options = new Table();
  options.put(kw("env"), env);
  options.put(kw("exit"), !line.persistent);
  if (line.check)
    options.put(kw("evaluator"), new Native("function", "flycheck", 0, Infinity, () => null, null));
  if (line.image) {
    const image = yield* evaluate(vm, env, `(load-image (slurp ${literal(toText(path))}))`, "image");
    if (image instanceof Table) image.proto ??= env;
    return yield* callMain(vm, image instanceof Table ? image : env, line);
  }
  yield* dofile(vm, path, options);
  return line.check ? null : yield* callMain(vm, env, line);
}

function* callMain(vm: Vm, env: Table, line: CommandLine): Call {
  const binding = env.rawGet(sym("main"));
  if (!(binding instanceof Table)) return null;
  const cell = binding.get(kw("ref"));
  const entry = cell instanceof JArray ? (cell.items[0] ?? null) : binding.get(kw("value"));
  return entry === null ? null : yield* callValue(vm, entry, line.args.map(toBytes));
}

async function casesFrom(file: string, limit: number): Promise<void> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    process.stderr.write(`${file} cannot be read as JSON: ${(error as Error).message}\n`);
    process.exitCode = 1;
    return;
  }
  await runCases(content, limit);
}

if (isMainThread) void main();
else serveCases();
