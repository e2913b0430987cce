import { show } from "../../print/describe.ts";
import { Native } from "../../values/functions.ts";
import { Kw, kw, Sym, sym } from "../../values/names.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { Struct, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";

/** Symbols of special forms and macros that stand in what macros give. */
export const S = {
  break: sym("break"),
  def: sym("def"),
  do: sym("do"),
  fn: sym("fn"),
  if: sym("if"),
  quote: sym("quote"),
  set: sym("set"),
  upscope: sym("upscope"),
  var: sym("var"),
  while: sym("while"),
  rest: sym("&"),
} as const;

/** A form in parentheses. */
export function list(...items: Value[]): Tuple {
  return new Tuple(items);
}

/** A form in square brackets: parameters and patterns. */
export function brackets(...items: Value[]): Tuple {
  return new Tuple(items, true);
}

let symbols = 0;

/** A symbol that no source can name: unlike those of `sym` it is not kept, so expansions leave nothing behind. */
export function fresh(): Sym {
  symbols++;
  return new Sym(`_j${symbols.toString(36).padStart(5, "0")}`);
}

export function def(name: Value, value: Value): Tuple {
  return list(S.def, name, value);
}
export function body(...forms: Value[]): Tuple {
  return list(S.do, ...forms);
}
/** `(fn :name [params] …)`: the keyword names the function in traces only. */
export function lambda(name: string, parameters: Value[], forms: readonly Value[]): Tuple {
  return list(S.fn, kw(name), brackets(...parameters), ...forms);
}
export function quoted(form: Value): Tuple {
  return list(S.quote, form);
}

/** Gives the values of core functions. Macros put the functions themselves into forms, so that no local of the user hides them. */
export type CoreValue = (name: string) => Value;

export function coreValues(core: Registrar): CoreValue {
  const found = new Map<string, Value>();
  return (name) => {
    let value = found.get(name);
    if (value === undefined) {
      const binding = core.env.rawGet(sym(name));
      if (!(binding instanceof Table)) panic(`unknown symbol ${name}`);
      value = binding.rawGet(kw("value"));
      found.set(name, value);
    }
    return value;
  };
}

/** Calls a core function that neither suspends nor calls back. */
export function callPlain(vm: Vm, core: CoreValue, name: string, ...args: Value[]): Value {
  const native = core(name);
  if (!(native instanceof Native) || native.run === null) throw new Error(`${name} is not plain`);
  return native.run(args, vm);
}

/** Whether evaluating a form twice is the same as once, without effect; as `idempotent?`. Symbols are not. */
export function idempotent(form: Value): boolean {
  return !(
    form instanceof Sym ||
    form instanceof Tuple ||
    form instanceof JArray ||
    form instanceof Table ||
    form instanceof Struct ||
    form instanceof JBuffer
  );
}

/** The items of what a macro takes as a list, with the error that `length` raises for other things. */
export function itemsOf(form: Value): readonly Value[] {
  if (form instanceof Tuple || form instanceof JArray) return form.items;
  if (typeof form === "string") return [...form].map((char) => char.charCodeAt(0));
  if (form instanceof Sym || form instanceof Kw) return itemsOf(form.name);
  if (form instanceof JBuffer) return itemsOf(form.text());
  if (form instanceof Table || form instanceof Struct) {
    return Array.from({ length: form.size }, (_, at) => form.get(at));
  }
  return panic(`expected string, symbol, keyword, array, tuple, table, struct or buffer, got ${show(form)}`);
}

/** One item of a list that must have it, with the error that `in` raises. */
export function itemAt(form: Value, at: number): Value {
  const items = itemsOf(form);
  const item = items[at];
  if (item !== undefined) return item;
  const kind = form instanceof JArray ? "array" : form instanceof Tuple ? "tuple" : "string";
  return panic(`expected integer key for ${kind} in range [0, ${items.length}), got ${at}`);
}
