import { type Call, Native } from "../values/functions.ts";
import { kw, sym } from "../values/names.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Vm } from "../vm/vm.ts";

type Run = (args: Value[], vm: Vm) => Value;
type Gen = (args: Value[], vm: Vm) => Call;

/**
 * Collects the bindings of the core environment. Names and docs are plain ASCII. `usage` is the call as the docs show it, such as
 * `(string/find patt str &opt start)`; `doc` is our own sentence. `max` may be Infinity.
 */
export class Registrar {
  readonly env = new Table();

  /** A C function that neither suspends nor calls Janet functions. */
  cfun(name: string, min: number, max: number, usage: string, doc: string, run: Run): Native {
    const native = new Native("cfunction", name, min, max, run, null);
    this.bind(name, native, usage, doc);
    return native;
  }
  /** A C function that may. */
  cgen(name: string, min: number, max: number, usage: string, doc: string, gen: Gen): void {
    this.bind(name, new Native("cfunction", name, min, max, null, gen), usage, doc);
  }
  /** A function that in Janet is written in Janet or bytecode, and so says `function`. */
  fun(name: string, min: number, max: number, usage: string, doc: string, run: Run): void {
    this.bind(name, new Native("function", name, min, max, run, null), usage, doc);
  }
  gen(name: string, min: number, max: number, usage: string, doc: string, gen: Gen): void {
    this.bind(name, new Native("function", name, min, max, null, gen), usage, doc);
  }
  /** A macro: takes forms, gives a form. */
  macro(name: string, min: number, max: number, usage: string, doc: string, run: Run): void {
    this.bind(name, new Native("function", name, min, max, run, null), usage, doc).put(kw("macro"), true);
  }
  value(name: string, value: Value, doc: string): void {
    this.bind(name, value, "", doc);
  }

  /** What is bound to a name already. @throws Error when nothing is */
  find(name: string): Value {
    const binding = this.env.rawGet(sym(name));
    if (!(binding instanceof Table)) throw new Error(`${name} is not bound yet`);
    return binding.rawGet(kw("value"));
  }

  private bind(name: string, value: Value, usage: string, doc: string): Table {
    const binding = new Table();
    binding.put(kw("value"), value);
    binding.put(kw("doc"), usage === "" ? doc : `${usage}\n\n${doc}`);
    this.env.put(sym(name), binding);
    return binding;
  }
}
