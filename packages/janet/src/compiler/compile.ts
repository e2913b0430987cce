import type { Closure } from "../values/functions.ts";
import { Sym } from "../values/names.ts";
import { emptyTuple, JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { makeClosure } from "../vm/closures.ts";
import { CAPTURED, type Frame } from "../vm/code.ts";
import { isStackOverflow } from "../vm/invoke.ts";
import type { Vm } from "../vm/vm.ts";
import { bindingOf } from "./bindings.ts";
import { compileCall } from "./calls.ts";
import { CompileError } from "./error.ts";
import { thunkCode } from "./functions.ts";
import { arrayNode, bufferNode, dictionaryNode, tupleNode } from "./literals.ts";
import { expand } from "./macros.ts";
import { constant, type Node, type Place, plain } from "./node.ts";
import { type Cell, type Found, FunctionScope } from "./scope.ts";
import { specials } from "./specials.ts";

export { CompileError } from "./error.ts";

/** Forms nested deeper than this are refused. */
const NESTING = 1_024;

/** Compiles one form in an environment. */
export class Compiler {
  readonly vm: Vm;
  readonly env: Table;
  readonly source: string | null;
  /** Warnings, as `compile` collects them. */
  readonly lints: JArray | null;
  scope: FunctionScope;
  line = -1;
  column = -1;
  private nesting = 0;

  constructor(vm: Vm, env: Table, source: string | null, lints: JArray | null) {
    this.vm = vm;
    this.env = env;
    this.source = source;
    this.lints = lints;
    this.scope = new FunctionScope(null);
  }

  fail(words: string): never {
    throw new CompileError(words, this.line, this.column);
  }

  /** The position of the present form, as frames keep it. 0: unknown. */
  get position(): number {
    return this.line < 0 ? 0 : this.line * 65_536 + Math.min(this.column, 65_535);
  }

  /** Compiles a form. After an error the compiler is of no use any more. */
  value(form: Value, place: Place): Node {
    const { line, column } = this;
    this.vm.spend(5);
    if (++this.nesting > NESTING) this.fail("recursed too deeply");
    const node = this.form(form, place);
    this.nesting--;
    this.line = line;
    this.column = column;
    return node;
  }

  private form(written: Value, place: Place): Node {
    let form = written;
    for (let turns = 0; form instanceof Tuple; turns++) {
      if (form.line >= 0) {
        this.line = form.line;
        this.column = form.column;
      }
      if (form.bracketed || form.items.length === 0) break;
      const head = form.items[0] as Value;
      if (head instanceof Sym) {
        const special = specials.get(head);
        if (special) return special(this, form, place);
      }
      if (turns > 200) this.fail("recursed too deeply in macro expansion");
      const expanded = expand(this, form);
      if (expanded === undefined) return compileCall(this, form, place);
      form = expanded;
    }
    if (form instanceof Tuple) return form.items.length === 0 ? constant(emptyTuple) : tupleNode(this, form);
    if (form instanceof Sym) return this.symbol(form);
    if (form instanceof JArray) return arrayNode(this, form);
    if (form instanceof Struct || form instanceof Table) return dictionaryNode(this, form);
    if (form instanceof JBuffer) return bufferNode(form);
    return constant(form);
  }

  symbol(name: Sym): Node {
    const found = this.scope.find(name);
    if (found) return readNode(found);
    const binding = bindingOf(this, name);
    if (binding.kind === "constant") return constant(binding.value);
    return cellNode(binding.cell);
  }
}

/** Reads a local name. */
export function readNode(found: Found): Node {
  if (found.kind === "global") return cellNode(found.cell);
  const { at, mutable } = found;
  if (found.kind === "slot") {
    return plain(mutable ? (frame: Frame) => (frame[at] as Cell).v : (frame: Frame) => frame[at] as Value);
  }
  return plain(
    mutable
      ? (frame: Frame) => (frame[CAPTURED][at] as Cell).v
      : (frame: Frame) => frame[CAPTURED][at] as Value,
  );
}

function cellNode(cell: JArray): Node {
  return plain(() => cell.items[0] ?? null);
}

/**
 * Compiles a form to a function without parameters that runs it.
 * @param source a file's name for positions, or null
 * @param lints where warnings are put
 * @throws CompileError
 */
export function compile(
  vm: Vm,
  form: Value,
  env: Table,
  source: string | null = null,
  lints: JArray | null = null,
): Closure {
  const compiler = new Compiler(vm, env, source, lints);
  try {
    return makeClosure(thunkCode(compiler, form), []);
  } catch (error) {
    if (isStackOverflow(error)) throw new CompileError("recursed too deeply", compiler.line, compiler.column);
    throw error;
  }
}
