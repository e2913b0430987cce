import { Kw, kw, Sym } from "../../values/names.ts";
import { JBuffer, Tuple } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";
import { body, brackets, type CoreValue, callPlain, def, fresh, itemsOf, list, quoted, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** `defn` and other macros that define, and `let`. */
export function installDefinitions(core: Registrar, value: CoreValue): void {
  const defn = (vm: Vm, name: Value, more: readonly Value[]) => {
    const { modifiers, doc, fn } = functionOf(vm, value, name, more);
    return list(S.def, name, ...modifiers, doc, fn);
  };
  core.macro(
    "defn",
    1,
    any,
    "(defn name & more)",
    "Defines a function. Between the name and the parameters may stand a docstring and metadata.",
    ([name = null, ...more], vm) => defn(vm, name, more),
  );
  core.macro(
    "defn-",
    1,
    any,
    "(defn- name & more)",
    "Defines a function that other modules do not see.",
    ([name = null, ...more], vm) => defn(vm, name, [kw("private"), ...more]),
  );
  const defmacro = (vm: Vm, name: Value, more: readonly Value[]) => {
    // A macro of this name that is there must not be expanded inside of its successor.
    if (name instanceof Sym) vm.fiber?.env?.put(name, new Table());
    return defn(vm, name, [kw("macro"), ...more]);
  };
  core.macro(
    "defmacro",
    1,
    any,
    "(defmacro name & more)",
    "Defines a macro: a function from forms to a form, called by the compiler.",
    ([name = null, ...more], vm) => defmacro(vm, name, more),
  );
  core.macro(
    "defmacro-",
    1,
    any,
    "(defmacro- name & more)",
    "Defines a macro that other modules do not see.",
    ([name = null, ...more], vm) => defmacro(vm, name, [kw("private"), ...more]),
  );
  core.macro(
    "def-",
    1,
    any,
    "(def- name & more)",
    "Defines a value that other modules do not see.",
    ([name = null, ...more]) => list(S.def, name, kw("private"), ...more),
  );
  core.macro(
    "var-",
    1,
    any,
    "(var- name & more)",
    "Defines a variable that other modules do not see.",
    ([name = null, ...more]) => list(S.var, name, kw("private"), ...more),
  );
  core.macro(
    "varfn",
    1,
    any,
    "(varfn name & body)",
    "Defines a function that can be defined anew later; functions that refer to it see the newest.",
    ([name = null, ...more], vm) => varfn(vm, value, name, more),
  );
  core.macro(
    "defdyn",
    1,
    any,
    "(defdyn alias & more)",
    "Defines a name with earmuffs, such as *level*, for the keyword of a dynamic binding.",
    ([alias = null, ...more], vm) => defdyn(vm, alias, more),
  );
  core.macro(
    "let",
    1,
    any,
    "(let bindings & body)",
    "Evaluates the body in a scope with these names and patterns bound one after the other.",
    ([bindings = null, ...forms]) => letOf(bindings, forms),
  );
  core.macro(
    "with-syms",
    1,
    any,
    "(with-syms syms & body)",
    "Evaluates the body with each of the names bound to a new symbol; for writing macros.",
    ([names = null, ...forms]) =>
      body(...itemsOf(names).map((name) => def(name, list(value("gensym")))), ...forms),
  );
}

/** @throws JanetError for an odd number of bindings */
export function letOf(bindings: Value, forms: readonly Value[]): Tuple {
  const items = itemsOf(bindings);
  if (items.length % 2 === 1) panic("expected even number of bindings to let");
  const defs: Value[] = [];
  for (let at = 0; at < items.length; at += 2) defs.push(def(items[at] as Value, items[at + 1] as Value));
  return body(...defs, ...forms);
}

/** The parts of `name …metadata "doc" [params] …body`. */
function functionOf(vm: Vm, value: CoreValue, name: Value, more: readonly Value[]) {
  const start = more.findIndex((item) => item instanceof Tuple);
  if (start < 0) panic(`expected integer key for tuple in range [0, ${more.length}), got ${more.length}`);
  const head = more.slice(0, start);
  const own = head.findLast((item) => typeof item === "string") as string | undefined;
  const parameters = more[start] as Tuple;
  const usage = [name, ...parameters.items].map((item) =>
    item instanceof Sym ? item.name : (callPlain(vm, value, "string/format", "%q", item) as string),
  );
  return {
    modifiers: head.filter((item) => typeof item !== "string"),
    doc: `(${usage.join(" ")})\n\n${own ?? ""}`,
    fn: list(S.fn, name, ...more.slice(start)),
  };
}

/** The binding is made by the program as it runs, with a `:ref` that keeps its identity from definition to definition. */
function varfn(vm: Vm, value: CoreValue, name: Value, more: readonly Value[]): Tuple {
  const { modifiers, doc, fn } = functionOf(vm, value, name, more);
  const metadata = new Table();
  metadata.put(kw("doc"), doc);
  for (const modifier of modifiers) {
    if (modifier instanceof Kw) metadata.put(modifier, true);
    else panic(`invalid metadata ${callPlain(vm, value, "string", modifier) as string}`);
  }
  const [old, entry, made] = [fresh(), fresh(), fresh()];
  return body(
    def(old, list(value("dyn"), quoted(name))),
    def(entry, list(S.if, old, old, list(value("table"), kw("ref"), list(value("array"), null)))),
    list(value("setdyn"), quoted(name), entry),
    def(made, fn),
    list(value("put-in"), entry, brackets(kw("ref"), 0), made),
    list(value("merge-into"), entry, quoted(metadata)),
    made,
  );
}

function defdyn(vm: Vm, alias: Value, more: readonly Value[]): Tuple {
  if (!(alias instanceof Sym)) panic("alias must be a symbol");
  const { name } = alias;
  if (name.length < 3 || !name.startsWith("*") || !name.endsWith("*"))
    panic("name must have leading and trailing '*' characters");
  const prefix = vm.dyn("defdyn-prefix");
  const before =
    typeof prefix === "string"
      ? prefix
      : prefix instanceof Sym || prefix instanceof Kw
        ? prefix.name
        : prefix instanceof JBuffer
          ? prefix.text()
          : "";
  return list(S.def, alias, kw("dyn"), ...more, kw(before + name.slice(1, -1)));
}
