import { sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "../vm/code.ts";
import { after } from "../vm/step.ts";
import { type Arguments, argumentsOf, compileArguments } from "./arguments.ts";
import type { Compiler } from "./compile.ts";
import { constant, item, type Node, operand } from "./node.ts";

const names = { unquote: sym("unquote"), quasiquote: sym("quasiquote") };

/** A literal made of its items when it runs. */
export function made(args: Arguments, make: (items: Value[]) => Value): Node {
  if (args.plain) {
    const list = args.plainly;
    return { plain: true, run: (frame: Frame) => make(list(frame)) };
  }
  const list = args.run;
  const finish = (items: Value) => make(items as unknown as Value[]);
  return {
    plain: false,
    run: (frame) => {
      const items = list(frame);
      return Array.isArray(items) ? make(items) : after(items, finish, null);
    },
  };
}

export function tupleNode(compiler: Compiler, form: Tuple): Node {
  const args = compileArguments(compiler, form.items);
  return args.constants ? unchanging(new Tuple(args.constants)) : made(args, (items) => new Tuple(items));
}

/** A literal that is the same every time. It is no constant to the compiler: calls of it are not checked, as in Janet. */
function unchanging(value: Value): Node {
  return { plain: true, run: () => value };
}

export function arrayNode(compiler: Compiler, form: JArray): Node {
  return made(compileArguments(compiler, form.items), (items) => new JArray(items));
}

export function dictionaryNode(compiler: Compiler, form: Struct | Table): Node {
  const nodes: Node[] = [];
  for (let slot = 0; slot < form.slots; slot++) {
    if (!form.liveAt(slot)) continue;
    nodes.push(compiler.value(form.keyAt(slot), operand), compiler.value(form.valueAt(slot), operand));
  }
  if (form instanceof Table) return madeOf(nodes, tableFrom);
  const { constants } = argumentsOf(nodes);
  return constants ? unchanging(structFrom(constants)) : madeOf(nodes, structFrom);
}

export function structFrom(items: readonly Value[]): Struct {
  const struct = new Struct();
  for (let at = 0; at + 1 < items.length; at += 2) struct.put(items[at] as Value, items[at + 1] as Value);
  return struct;
}

export function tableFrom(items: readonly Value[]): Table {
  const table = new Table();
  for (let at = 0; at + 1 < items.length; at += 2) {
    const key = items[at] as Value;
    if (key !== null && !Number.isNaN(key)) table.put(key, items[at + 1] as Value);
  }
  return table;
}

/** A literal of nodes that are there already. */
export function madeOf(nodes: readonly Node[], make: (items: Value[]) => Value): Node {
  return made(argumentsOf(nodes), make);
}

export function bufferNode(form: JBuffer): Node {
  return { plain: true, run: () => JBuffer.of(form.text()) };
}

/** `(quasiquote form)`. */
export function quasiNode(compiler: Compiler, form: Value, depth = 0, nesting = 0): Node {
  compiler.vm.spend(5);
  if (nesting > 1_024) compiler.fail("quasiquote too deeply nested");
  const inner = (each: Value, level = depth) => quasiNode(compiler, each, level, nesting + 1);
  if (form instanceof Tuple) {
    const { items } = form;
    let level = depth;
    const head = items[0];
    if (items.length > 1 && head === names.unquote) {
      if (depth === 0) return compiler.value(items[1] as Value, item);
      level--;
    } else if (head === names.quasiquote) level++;
    const nodes = items.map((each) => inner(each, level));
    return rebuilt(nodes, (made) => new Tuple(made, form.bracketed));
  }
  if (form instanceof JArray)
    return madeOf(
      form.items.map((each) => inner(each)),
      (made) => new JArray(made),
    );
  if (form instanceof Struct || form instanceof Table) {
    const nodes: Node[] = [];
    for (let slot = 0; slot < form.slots; slot++)
      if (form.liveAt(slot)) nodes.push(inner(form.keyAt(slot)), inner(form.valueAt(slot)));
    return form instanceof Struct ? rebuilt(nodes, structFrom) : madeOf(nodes, tableFrom);
  }
  return form instanceof JBuffer ? bufferNode(form) : constant(form);
}

/** The form itself when nothing in it is computed, else a literal. */
function rebuilt(nodes: readonly Node[], make: (items: Value[]) => Value): Node {
  if (nodes.every((node) => node.constant && !node.splice)) {
    return constant(make(nodes.map((node) => node.constant?.value as Value)));
  }
  return madeOf(nodes, make);
}
