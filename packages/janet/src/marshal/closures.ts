import { CompileError, compile } from "../compiler/compile.ts";
import { show } from "../print/describe.ts";
import { Closure } from "../values/functions.ts";
import { Sym, sym } from "../values/names.ts";
import { Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { callNow } from "../vm/call.ts";
import { makeClosure } from "../vm/closures.ts";
import { Code } from "../vm/code.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import type { Unmarshaller } from "./read.ts";
import type { Marshaller } from "./write.ts";

/** A variable that closures share. */
interface Cell {
  v: Value;
}

/** The cells that were read: nothing else that was read may be taken for one. */
const cells = new WeakSet<object>();

/** Writes a closure: its form, the definitions that it uses, and what it captured. */
export function writeClosure(out: Marshaller, closure: Closure): void {
  const { origin, source } = closure.prototype as Code;
  if (origin === null) panic(`no registry value and cannot marshal ${show(closure)}`);
  for (const used of origin.cfunctions) out.mustBeNamed(used);
  out.write(origin.form);
  out.write(source);
  out.count(origin.bindings.size);
  for (const [name, entry] of origin.bindings) {
    out.write(name);
    out.write(entry);
  }
  out.count(origin.captures.length);
  for (const [at, { name, mutable }] of origin.captures.entries()) {
    out.write(name);
    out.write(mutable);
    const captured = closure.captured[at];
    if (!mutable) out.write(captured as Value);
    else if (out.begins(captured as Cell)) out.write((captured as Cell).v);
  }
}

/** An empty closure, to be filled by what {@link readClosure} gives once all is read. */
export function emptyClosure(): Closure {
  const code = new Code();
  // The compiler must not yet say what it takes.
  code.max = Number.POSITIVE_INFINITY;
  return makeClosure(code, []);
}

/** Reads what {@link writeClosure} wrote. @returns compiles it into the closure, when all that it may refer to is read */
export function readClosure(from: Unmarshaller, closure: Closure, vm: Vm): () => void {
  const form = from.read();
  const source = from.read();
  const env = new Table();
  env.proto = vm.core;
  for (let left = from.count(); left > 0; left--) {
    const name = from.read();
    const entry = from.read();
    if (name instanceof Sym && entry instanceof Table) env.put(name, entry);
  }
  const captured = new Map<Value, { mutable: boolean; value: unknown }>();
  for (let left = from.count(); left > 0; left--) {
    const name = from.read();
    const mutable = from.read() === true;
    const value = mutable ? from.begun(newCell, (cell) => fillCell(from, cell), isCell) : from.read();
    captured.set(name, { mutable, value });
  }
  return () => {
    const locals = [...captured].map(([name, { mutable }]) => ({ name, mutable }));
    const made = compileAgain(vm, form, typeof source === "string" ? source : null, env, locals);
    const code = made.prototype as Code;
    Object.assign(closure.prototype, code);
    for (const { name } of code.origin?.captures ?? []) closure.captured.push(captured.get(name)?.value);
  };
}

function newCell(): Cell {
  const cell: Cell = { v: null };
  cells.add(cell);
  return cell;
}
const isCell = (value: unknown): value is Cell =>
  typeof value === "object" && value !== null && cells.has(value);
function fillCell(from: Unmarshaller, cell: Cell): void {
  cell.v = from.read();
}

/** Compiles a `fn` form inside of a function that has the names that it captures. */
function compileAgain(
  vm: Vm,
  form: Value,
  source: string | null,
  env: Table,
  locals: readonly { name: Value; mutable: boolean }[],
): Closure {
  // Nothing but a function is made of bytes: no other form may run.
  if (!(form instanceof Tuple) || form.items[0] !== sym("fn")) return damaged();
  const variables = locals
    .filter(({ mutable }) => mutable)
    .map(({ name }) => new Tuple([sym("var"), name, null]));
  const parameters = locals.filter(({ mutable }) => !mutable).map(({ name }) => name);
  const around = new Tuple([sym("fn"), new Tuple(parameters, true), ...variables, form]);
  try {
    const made = callNow(vm, callNow(vm, compile(vm, around, env, source), []), parameters);
    if (made instanceof Closure) return made;
  } catch (error) {
    if (error instanceof CompileError) panic(error.words);
    throw error;
  }
  return damaged();
}

function damaged(): never {
  panic("invalid function in marshalled bytes");
}
