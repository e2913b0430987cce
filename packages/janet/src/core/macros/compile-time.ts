import { show } from "../../print/describe.ts";
import { Kw, kw, Sym, sym } from "../../values/names.ts";
import { JBuffer } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { callNow } from "../../vm/call.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";
import { body, type CoreValue, list, quoted, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** Macros that evaluate while compiling, and those that load modules. */
export function installCompileTime(core: Registrar, value: CoreValue): void {
  const evaluate = (vm: Vm, form: Value) => callNow(vm, value("eval"), [form]);
  core.macro("comment", 0, any, "(comment & body)", "Ignores its body and gives nil.", () => null);
  core.macro(
    "comptime",
    1,
    1,
    "(comptime x)",
    "Evaluates x once, while compiling, and puts the result in its place.",
    ([form = null], vm) => evaluate(vm, form),
  );
  core.macro(
    "compif",
    2,
    3,
    "(compif condition then &opt else)",
    "Decides while compiling which of two forms is compiled.",
    ([condition = null, then = null, otherwise = null], vm) => {
      const chosen = evaluate(vm, condition);
      return chosen !== null && chosen !== false ? then : otherwise;
    },
  );
  core.macro(
    "compwhen",
    1,
    any,
    "(compwhen condition & body)",
    "Compiles its body at top level only when the condition is truthy while compiling.",
    ([condition = null, ...forms], vm) => {
      const chosen = evaluate(vm, condition);
      return chosen !== null && chosen !== false ? list(S.upscope, ...forms) : null;
    },
  );
  core.macro(
    "as-macro",
    1,
    any,
    "(as-macro f & args)",
    "Calls a function as if it were a macro.",
    ([callee = null, ...args], vm) => callNow(vm, callee, args),
  );
  core.macro(
    "doc",
    0,
    1,
    "(doc &opt sym)",
    "Prints the documentation of a binding, or lists all bindings and dynamics.",
    ([name = null]) => list(value("doc*"), quoted(name)),
  );
  core.macro(
    "import",
    1,
    any,
    "(import path & args)",
    "Loads a module and binds what it defines here, with the module's name or `:as` a name as prefix, or with `:prefix`.",
    ([path = null, ...args]) => list(value("import*"), textOf(path), ...importArguments(args)),
  );
  core.macro(
    "use",
    0,
    any,
    "(use & modules)",
    "Loads modules and binds what they define here without a prefix.",
    (paths) => body(...paths.map((path) => list(value("import*"), textOf(path), kwPrefix, ""))),
  );
}

function textOf(form: Value): string {
  if (typeof form === "string") return form;
  if (form instanceof Sym || form instanceof Kw) return form.name;
  return form instanceof JBuffer ? form.text() : show(form);
}
/** `:as` takes a bare symbol and `:only` a tuple of them; what other keywords take is evaluated. */
function importArguments(args: readonly Value[]): Value[] {
  return args.map((form, at) => {
    const key = at % 2 === 1 ? args[at - 1] : null;
    if (key === kw("as")) return textOf(form);
    return key === kw("only") ? list(sym("quote"), form) : form;
  });
}
const kwPrefix = kw("prefix");
