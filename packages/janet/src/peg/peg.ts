import { Abstract, type AbstractType } from "../values/abstract.ts";
import type { Native } from "../values/functions.ts";
import { Kw, kw } from "../values/names.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Vm } from "../vm/vm.ts";
import { emitProgram } from "./emit.ts";
import type { Program } from "./program.ts";
import { GrammarReader } from "./reading.ts";

const methods = new Map<Kw, Native>();

/** Values of `core/peg`: compiled patterns. */
export const pegType: AbstractType<Program> = {
  name: "core/peg",
  get: (_program, key) => (key instanceof Kw ? methods.get(key) : undefined),
  next(_program, key) {
    const keys = [...methods.keys()];
    return keys[key === null ? 0 : keys.indexOf(key as Kw) + 1] ?? null;
  },
};

/** Makes a function one of a peg's methods: `(:match peg text)`. */
export function addMethod(name: string, native: Native): void {
  methods.set(kw(name), native);
}

export function isPeg(value: Value): value is Abstract<Program> {
  return value instanceof Abstract && value.type === pegType;
}

/** The program of a peg, or of a grammar, which is compiled first. */
export function programOf(value: Value, vm: Vm): Program {
  return isPeg(value) ? value.data : compileGrammar(value, vm);
}

/** Compiles a grammar; names that it does not define are looked up in `(dyn :peg-grammar)`. */
export function compileGrammar(grammar: Value, vm: Vm): Program {
  const defaults = vm.dyn("peg-grammar");
  return compileWith(grammar, defaults instanceof Table ? defaults : null);
}

/** @param defaults what names stand for that the grammar does not define */
export function compileWith(grammar: Value, defaults: Table | null): Program {
  return { ...emitProgram(new GrammarReader(defaults).read(grammar)), grammar, defaults };
}
