import { statSync } from "node:fs";
import { bytesAt } from "../core/arguments.ts";
import { cstringAt, readable } from "../core/os/access.ts";
import type { Registrar } from "../core/registrar.ts";
import { type Call, Closure, Native } from "../values/functions.ts";
import { type Kw, kw, sym } from "../values/names.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { callValue } from "../vm/call.ts";
import { JanetError } from "../vm/janet-error.ts";
import type { Signal } from "../vm/signal.ts";
import type { Vm } from "../vm/vm.ts";
import { expandPath } from "./expand.ts";

/** Where modules are looked for: `module/paths`, `module/find`, `module/expand-path`, `module/add-paths`, `module/cache`. */
export function install(core: Registrar): void {
  core.value("module/cache", new Table(), "The environments of loaded modules by their full paths.");
  core.value("module/loading", new Table(), "The full paths of modules that are being loaded.");
  const paths = new JArray();
  core.value(
    "module/paths",
    paths,
    "Where modules are looked for: tuples of a template or function, a kind of module and a test of the path.",
  );
  const isRelative = test("check-relative", (path) => path.startsWith("."));
  const isNotRelative = test("check-not-relative", (path) => !path.startsWith("."));
  const isInstalled = test("check-is-dep", (path) => !/^[./@]/.test(path));
  const isOfProject = test("check-project-relative", (path) => path.startsWith("/"));
  const isOfSite = test("check-dyn-relative", (path) => path.startsWith("@"));

  const cached = new Native(
    "function",
    "is-cached",
    1,
    1,
    (args, vm) => {
      const path = args[0] ?? null;
      return path !== null && moduleTable(vm, "module/cache").rawGet(path) !== null ? path : null;
    },
    null,
  );
  const addPaths = (ending: string, kind: Kw): void => {
    const groups: [string, Value][] = [
      [`:cur:/:all:${ending}`, isRelative],
      [`.:all:${ending}`, isOfProject],
      [`:all:${ending}`, isOfProject],
      [`:@all:${ending}`, isOfSite],
      [`:sys:/:all:${ending}`, isInstalled],
    ];
    for (const [template, check] of groups) {
      const first = paths.items.findIndex((entry) => entry instanceof Tuple && entry.items[2] === check);
      paths.items.splice(first < 0 ? paths.items.length : first, 0, new Tuple([template, kind, check]));
    }
  };
  addPaths(":native:", kw("native"));
  addPaths("/init.janet", kw("source"));
  addPaths(".janet", kw("source"));
  addPaths(".jimage", kw("image"));
  paths.items.unshift(new Tuple([cached, kw("preload"), isNotRelative]));

  core.fun(
    "module/add-paths",
    2,
    2,
    "(module/add-paths ext loader)",
    "Looks for modules with this ending too, wherever others are looked for, and loads them with this loader; module/paths.",
    (args) => {
      addPaths(bytesAt(args, 0), args[1] as Kw);
      return paths;
    },
  );
  core.fun(
    "module/add-syspath",
    1,
    1,
    "(module/add-syspath path)",
    "Looks for installed modules in this directory too, after the others; module/paths.",
    (args) => {
      const directory = bytesAt(args, 0);
      const sys = paths.items.filter(
        (entry): entry is Tuple =>
          entry instanceof Tuple && typeof entry.items[0] === "string" && entry.items[0].startsWith(":sys:"),
      );
      const more = sys.map(
        (entry) => new Tuple([directory + String(entry.items[0]).slice(5), ...entry.items.slice(1)]),
      );
      paths.items.push(...more);
      return paths;
    },
  );
  core.cfun(
    "module/expand-path",
    2,
    2,
    "(module/expand-path path template)",
    "Puts a module's path into a template as it stands in module/paths.",
    (args, vm) => expandPath(vm, cstringAt(args, 0), cstringAt(args, 1)),
  );
  core.gen(
    "module/find",
    1,
    2,
    "(module/find path &opt find-all)",
    "Where a module is and of which kind, as a tuple; a tuple of nil and a message when there is none.",
    function* (args, vm) {
      const found = yield* findModule(vm, bytesAt(args, 0), truthy(args[1] ?? null));
      return Array.isArray(found) ? new JArray(found) : found;
    },
  );
}

function test(name: string, holds: (path: string) => boolean): Native {
  return new Native("function", name, 1, 1, (args) => holds(bytesAt(args, 0)), null);
}

/** A table of the core environment, or the one that a dynamic binding such as `:module-cache` puts in its place. */
export function moduleTable(vm: Vm, name: "module/cache" | "module/loading" | "module/loaders"): Table {
  const own = vm.dyn(name.replace("/", "-"));
  return own instanceof Table ? own : (coreValue(vm, name) as Table);
}

function searched(vm: Vm): readonly Value[] {
  const own = vm.dyn("module-paths");
  const paths = own instanceof JArray || own instanceof Tuple ? own : coreValue(vm, "module/paths");
  return (paths as JArray).items;
}

/** What a name is bound to in the core environment. */
export function coreValue(vm: Vm, name: string): Value {
  const binding = vm.core.get(sym(name));
  return binding instanceof Table ? binding.get(kw("value")) : null;
}

/** A tuple of path and kind, or of nil and the words of the error; all there are with `all`. */
export function* findModule(vm: Vm, path: string, all = false): Generator<Signal, Tuple | Tuple[], Value> {
  const found: Tuple[] = [];
  const tried: string[] = [];
  let denied: JanetError | null = null;
  for (const entry of searched(vm)) {
    if (!(entry instanceof Tuple || entry instanceof JArray)) continue;
    const [where = null, kind = null, check = null] = entry.items;
    if (!(yield* suits(vm, check, path))) continue;
    if (where instanceof Closure || where instanceof Native) {
      const result = yield* callValue(vm, where, [path]);
      if (truthy(result)) found.push(new Tuple([result, kind]));
    } else if (typeof where === "string") {
      const full = expandPath(vm, path, where);
      tried.push(full);
      try {
        if (statSync(readable(vm, full)).isFile()) found.push(new Tuple([full, kind]));
      } catch (error) {
        // Another place may do.
        if (error instanceof JanetError) denied ??= error;
      }
    }
    if (found.length > 0 && !all) return found[0] as Tuple;
  }
  if (all) return found;
  if (denied) throw denied;
  return new Tuple([null, `could not find module ${path}:\n    ${tried.join("\n    ")}`]);
}

function* suits(vm: Vm, check: Value, path: string): Call {
  if (check === null) return true;
  if (typeof check === "string") return path.endsWith(check);
  return truthy(yield* callValue(vm, check, [path]));
}
