import { Closure, Native } from "../values/functions.ts";
import { type Kw, kw, type Sym } from "../values/names.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { callNow } from "../vm/call.ts";
import type { Compiler } from "./compile.ts";

export const keys = {
  value: kw("value"),
  ref: kw("ref"),
  macro: kw("macro"),
  redef: kw("redef"),
  doc: kw("doc"),
  sourceMap: kw("source-map"),
  missing: kw("missing-symbol"),
} satisfies Record<string, Kw>;

/** What a name of the environment stands for. */
export type Binding =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "cell"; readonly cell: JArray; readonly settable: boolean };

/** The binding of a name that is no local one. @throws CompileError when there is none */
export function bindingOf(compiler: Compiler, name: Sym): Binding {
  let entry = compiler.env.get(name);
  if (!(entry instanceof Table)) {
    const handler = compiler.env.get(keys.missing);
    if (handler instanceof Closure || handler instanceof Native)
      entry = callNow(compiler.vm, handler, [name]);
    if (!(entry instanceof Table)) compiler.fail(`unknown symbol ${name.name}`);
  }
  noteUse(compiler, name, entry);
  const cell = entry.get(keys.ref);
  if (cell instanceof JArray) return { kind: "cell", cell, settable: !truthy(entry.get(keys.redef)) };
  return { kind: "constant", value: entry.get(keys.value) };
}

/** Keeps what a name means with the functions that use it, for marshalling. */
function noteUse(compiler: Compiler, name: Sym, entry: Table): void {
  if (compiler.vm.core.rawGet(name) !== entry) {
    compiler.scope.usesBinding(name, entry);
    return;
  }
  const value = entry.rawGet(keys.value);
  if (value instanceof Native && value.kind === "cfunction") compiler.scope.usesCFunction(value);
}

/** The macro that a name stands for; undefined: it is none. */
export function macroOf(compiler: Compiler, name: Sym): Closure | Native | undefined {
  if (compiler.scope.find(name)) return undefined;
  const entry = compiler.env.get(name);
  if (!(entry instanceof Table) || !truthy(entry.get(keys.macro))) return undefined;
  noteUse(compiler, name, entry);
  const cell = entry.get(keys.ref);
  const value = cell instanceof JArray ? (cell.items[0] ?? null) : entry.get(keys.value);
  return value instanceof Closure || value instanceof Native ? value : undefined;
}

/** Makes the entry of a new name of the environment, to which `attributes` were written. */
export function declare(compiler: Compiler, name: Sym, attributes: Table): Table {
  const { env, line, column, source } = compiler;
  if (line >= 0 || source !== null)
    attributes.put(keys.sourceMap, new Tuple([source, Math.max(line, 0), Math.max(column, 0)]));
  env.put(name, attributes);
  return attributes;
}
