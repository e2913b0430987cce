import { textOf } from "../../print/describe.ts";
import type { Call } from "../../values/functions.ts";
import { kw, Sym, sym } from "../../values/names.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import { bytesOf, typeName } from "../../values/types.ts";
import { truthy, type Value } from "../../values/value.ts";
import type { Vm } from "../../vm/vm.ts";
import { integerAt, optional, stringAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { docLayout, nameRows } from "./doc-layout.ts";
import { writeOut } from "./output.ts";

/** Special forms, which are no bindings, and how they are written. */
const specials = new Map([
  ["break", "(break &opt value)"],
  ["def", "(def name ...metadata value)"],
  ["do", "(do ...forms)"],
  ["fn", "(fn &opt name params ...body)"],
  ["if", "(if condition then &opt else)"],
  ["quasiquote", "(quasiquote form)"],
  ["quote", "(quote form)"],
  ["set", "(set place value)"],
  ["splice", "(splice values)"],
  ["unquote", "(unquote form)"],
  ["upscope", "(upscope ...forms)"],
  ["var", "(var name ...metadata value)"],
  ["while", "(while condition ...body)"],
]);

export function install(core: Registrar): void {
  core.gen(
    "doc*",
    0,
    1,
    "(doc* &opt sym)",
    "Prints the documentation of a symbol, or the names of the bindings that contain a string.",
    (args, vm) => writeOut(vm, "out", documentation(args[0] ?? null, vm)),
  );
  core.fun(
    "doc-format",
    1,
    4,
    "(doc-format str &opt width indent colorize)",
    "Lays a doc string out for a terminal of this width.",
    (args, vm) =>
      docLayout(
        stringAt(args, 0),
        optional(args, 1, integerAt, widthOf(vm)),
        optional(args, 2, integerAt, 4),
      ),
  );
  core.gen(
    "doc-of",
    1,
    1,
    "(doc-of x)",
    "Prints the documentation of every binding that holds this very value.",
    docOf,
  );
}

function widthOf(vm: Vm): number {
  const width = vm.dyn("doc-width");
  return typeof width === "number" ? width : 80;
}

function documentation(name: Value, vm: Vm): string {
  if (name instanceof Sym) {
    const binding = bindingOf(name, vm);
    if (binding) return entry(binding, vm);
    const special = specials.get(name.name);
    if (special !== undefined) return block(["special form"], special, vm);
    return `symbol ${name.name} not found.\n`;
  }
  const part = bytesOf(name) ?? "";
  const names = [...bindingsOf(vm)].map(([key]) => key).filter((key) => key.includes(part));
  return `\nBindings:\n\n${nameRows([...new Set(names)].sort(), widthOf(vm))}\n\n`;
}

function bindingOf(name: Sym, vm: Vm): Table | null {
  const found = vm.fiber?.env?.get(name) ?? vm.core.get(sym(name.name));
  return found instanceof Table ? found : null;
}

function* bindingsOf(vm: Vm): Generator<[string, Table]> {
  for (let env: Table | null = vm.fiber?.env ?? vm.core; env !== null; env = env.proto) {
    for (let slot = 0; slot < env.slots; slot++) {
      const key = env.liveAt(slot) ? env.keyAt(slot) : null;
      const binding = key instanceof Sym ? env.valueAt(slot) : null;
      if (key instanceof Sym && binding instanceof Table && !truthy(binding.get(kw("private"))))
        yield [key.name, binding];
    }
  }
}

function* docOf(args: Value[], vm: Vm): Call {
  for (const [, binding] of bindingsOf(vm))
    if (valueOfBinding(binding) === args[0]) yield* writeOut(vm, "out", entry(binding, vm));
  return null;
}

function valueOfBinding(binding: Table): Value {
  const ref = binding.get(kw("ref"));
  return ref instanceof JArray ? (ref.items[0] ?? null) : binding.get(kw("value"));
}

function entry(binding: Table, vm: Vm): string {
  const kind = truthy(binding.get(kw("macro")))
    ? "macro"
    : `${binding.get(kw("ref")) instanceof JArray ? "var " : ""}${typeName(valueOfBinding(binding))}`;
  const place = binding.get(kw("source-map"));
  const facts = [kind];
  if (place instanceof Tuple) {
    const [file = null, line = null, column = null] = place.items;
    const source = file === null ? "" : `${textOf(file)} `;
    facts.push(`${source}on line ${textOf(line)}, column ${textOf(column)}`);
  }
  const doc = binding.get(kw("doc"));
  return block(facts, bytesOf(doc) ?? "no documentation found.", vm);
}

function block(facts: readonly string[], doc: string, vm: Vm): string {
  const head = facts.map((fact) => `    ${fact}`).join("\n");
  return `\n\n${head}\n\n${docLayout(doc, widthOf(vm))}\n\n\n`;
}
