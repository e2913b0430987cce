import { readFileSync } from "node:fs";
import { bytesAt, indexedAt } from "../core/arguments.ts";
import { readable } from "../core/os/access.ts";
import { fileAt } from "../core/os/file.ts";
import type { Registrar } from "../core/registrar.ts";
import { Abstract } from "../values/abstract.ts";
import { fromArray } from "../values/bytes.ts";
import { type Call, Native } from "../values/functions.ts";
import { Kw, kw, Sym, sym } from "../values/names.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { callValue } from "../vm/call.ts";
import type { Fiber } from "../vm/fiber.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import { environmentOf, traced } from "./context.ts";
import { coreValue, findModule, moduleTable } from "./find.ts";
import { compileErrorText, parseErrorText, tell, traceOf } from "./report.ts";
import { runSource, whole } from "./run-source.ts";

/** `dofile`, `require`, `import*`, `merge-module`, `module/loaders`. */
export function install(core: Registrar): void {
  core.gen(
    "dofile",
    1,
    Infinity,
    "(dofile path &named exit env source expander evaluator read parser)",
    "Runs a file, a path or an open one, and gives its environment. With :exit an error ends the program.",
    (args, vm) => dofile(vm, args[0] ?? null, named(args, 1)),
  );
  core.gen(
    "require",
    1,
    Infinity,
    "(require path & args)",
    "The environment of a module, which is loaded unless it was before. With :fresh it is loaded again.",
    (args, vm) => requireModule(vm, args),
  );
  core.gen(
    "import*",
    1,
    Infinity,
    "(import* path & args)",
    "Brings the bindings of a module into the current environment. :as and :prefix name what stands before them, :export hands them on, :only picks some, :fresh loads anew.",
    function* (args, vm) {
      const env = environmentOf(vm);
      const options = named(args, 1);
      const path = bytesAt(args, 0);
      const module = (yield* requireModule(vm, args)) as Table;
      const as = options.get(kw("as"));
      const prefix = options.get(kw("prefix"));
      const before =
        as !== null
          ? `${text(as)}/`
          : prefix !== null
            ? text(prefix)
            : `${path.slice(path.lastIndexOf("/") + 1)}/`;
      mergeModule(env, module, before, truthy(options.get(kw("export"))), options.get(kw("only")));
      return null;
    },
  );
  core.fun(
    "merge-module",
    2,
    5,
    "(merge-module target source &opt prefix export only)",
    "Brings the public bindings of an environment into another, with a prefix before their names; the target.",
    (args) => {
      const [target, source] = args;
      if (!(target instanceof Table) || !(source instanceof Table)) panic("expected tables to merge");
      const prefix = args[2] ?? null;
      mergeModule(
        target,
        source,
        prefix === null ? "" : text(prefix),
        truthy(args[3] ?? null),
        args[4] ?? null,
      );
      return target;
    },
  );
  const loaders = new Table();
  const loader = (kind: string, load: (vm: Vm, path: string, args: Value[]) => Call) =>
    loaders.put(
      kw(kind),
      new Native("function", `${kind}-loader`, 1, 2, null, (args, vm) =>
        load(vm, bytesAt(args, 0), args[1] === undefined ? [] : [...indexedAt(args, 1)]),
      ),
    );
  loader("source", function* (vm, path, args) {
    const loading = moduleTable(vm, "module/loading");
    loading.put(path, true);
    try {
      return yield* dofile(vm, path, named(args, 0));
    } finally {
      loading.put(path, null);
    }
  });
  loader("preload", function* (vm, path, args) {
    const cache = moduleTable(vm, "module/cache");
    const module = cache.rawGet(path);
    if (module === null || module instanceof Table) return module;
    const made = yield* callValue(vm, module, [path, ...args]);
    cache.put(path, made);
    return made;
  });
  loader("image", function* (vm, path) {
    const image = fromArray(readFileSync(readable(vm, path)));
    return yield* callValue(vm, coreValue(vm, "load-image"), [image]);
  });
  // biome-ignore lint/correctness/useYield: as the other loaders
  loader("native", function* (_vm, path) {
    panic(`native modules are not available: ${path}`);
  });
  core.value(
    "module/loaders",
    loaders,
    "How each kind of module is loaded: functions of its path and further arguments.",
  );
}

/** Arguments in pairs, as a table. */
function named(args: readonly Value[], from: number): Table {
  const table = new Table();
  for (let at = from; at + 1 < args.length; at += 2) {
    const key = args[at] as Value;
    if (key !== null) table.put(key, args[at + 1] as Value);
  }
  return table;
}

function text(value: Value): string {
  return value instanceof Sym || value instanceof Kw ? value.name : typeof value === "string" ? value : "";
}

function* requireModule(vm: Vm, args: Value[]): Call {
  if (args.length % 2 === 0) panic("expected even number of arguments");
  const path = bytesAt(args, 0);
  const rest = args.slice(1);
  const found = (yield* findModule(vm, path)) as Tuple;
  const [full = null, kind = null] = found.items;
  if (full === null || full === false) panic(String(kind));
  const cache = moduleTable(vm, "module/cache");
  const cached = truthy(named(args, 1).get(kw("fresh"))) ? null : cache.rawGet(full);
  if (cached instanceof Table) return cached;
  if (moduleTable(vm, "module/loading").rawGet(full) !== null)
    panic(`circular dependency ${text(full)} detected`);
  const loader = kind instanceof Kw ? moduleTable(vm, "module/loaders").get(kind) : kind;
  if (loader === null) panic(`module type ${text(kind)} unknown`);
  const env = yield* callValue(vm, loader, [full, new Tuple(rest)]);
  cache.put(full, env);
  return env;
}

function mergeModule(target: Table, source: Table, prefix: string, exported: boolean, only: Value): void {
  const picked = only instanceof Tuple || only instanceof JArray ? new Set(only.items.map(text)) : null;
  for (let slot = 0; slot < source.slots; slot++) {
    if (!source.liveAt(slot)) continue;
    const [name, binding] = [source.keyAt(slot), source.valueAt(slot)];
    if (!(name instanceof Sym) || !(binding instanceof Table) || truthy(binding.get(kw("private")))) continue;
    if (picked && !picked.has(name.name)) continue;
    const merged = new Table();
    merged.proto = binding;
    merged.put(kw("private"), !exported);
    target.put(sym(prefix + name.name), merged);
  }
}

/**
 * Runs a file in a new environment, or that of `:env`, and gives the environment.
 * @param path its path or an open file
 * @throws JanetError with `FILE:1:2: compile error: …` as value, or the file's own error
 */
export function* dofile(vm: Vm, path: Value, options: Table): Call {
  const isFile = path instanceof Abstract;
  const name = isFile ? "<anonymous>" : bytesAt([path], 0);
  const source = isFile ? yield* fileAt([path], 0).read(vm, Number.POSITIVE_INFINITY) : readSource(vm, name);
  const given = options.get(kw("env"));
  const env = given instanceof Table ? given : new Table();
  if (!(given instanceof Table)) env.proto = vm.core;
  const where = options.get(kw("source")) ?? name;
  const shownName = text(where) || name;
  env.put(kw("current-file"), isFile && options.get(kw("source")) === null ? null : shownName);
  env.put(kw("source"), shownName);
  const exits = truthy(options.get(kw("exit")));
  let failure: unknown;
  const fail = (error: unknown, report: string): void => {
    if (exits) {
      tell(vm, report);
      vm.host.capabilities.exit?.(1);
    }
    failure ??= error;
    env.put(kw("exit"), true);
  };
  const parser = options.get(kw("parser"));
  const read = options.get(kw("read"));
  yield* runSource(vm, {
    env,
    name: shownName,
    chunk: whole(source),
    expander: options.get(kw("expander")) ?? undefined,
    evaluator: options.get(kw("evaluator")) ?? undefined,
    parser: parser instanceof Abstract ? parser.data : undefined,
    read: read === null ? undefined : () => callValue(vm, read, [env, shownName]),
    // biome-ignore lint/correctness/useYield: others wait
    *onParseError(_parser, error) {
      const words = parseErrorText(shownName, error);
      fail(new ModuleError(words), `${words}\n`);
      return null;
    },
    // biome-ignore lint/correctness/useYield: others wait
    *onCompileError(error) {
      const words = compileErrorText(shownName, error);
      fail(new ModuleError(words), `${words}\n${error.fiber ? traceOf(error.fiber, null) : ""}`);
      return null;
    },
    // biome-ignore lint/correctness/useYield: others wait
    *onStatus(fiber: Fiber, value: Value) {
      if (fiber.status !== "dead") fail(traced(fiber, value), exits ? traceOf(fiber, value) : "");
      return null;
    },
  });
  if (failure !== undefined) {
    if (failure instanceof ModuleError) panic(failure.message);
    throw failure;
  }
  return env;
}

class ModuleError extends Error {}

function readSource(vm: Vm, path: string): string {
  const absolute = readable(vm, path);
  try {
    return fromArray(readFileSync(absolute));
  } catch {
    return panic(`could not find file ${path}`);
  }
}
