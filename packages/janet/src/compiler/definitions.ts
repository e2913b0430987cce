import { show } from "../print/describe.ts";
import { Kw, type Sym } from "../values/names.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import type { Frame } from "../vm/code.ts";
import { after, isCall, type Step } from "../vm/step.ts";
import { declare, keys } from "./bindings.ts";
import type { Compiler } from "./compile.ts";
import { type Bind, destructure } from "./destructure.ts";
import { type Node, operand } from "./node.ts";

/** `(def pattern …attributes value)` and `(var …)`. */
export function definition(compiler: Compiler, form: Tuple, mutable: boolean): Node {
  const { items } = form;
  const head = mutable ? "var" : "def";
  if (items.length < 3) compiler.fail(`expected at least 2 arguments to ${head}`);
  const pattern = items[1] as Value;
  const attributes = attributesOf(compiler, items.slice(2, -1), pattern);
  const value = compiler.value(items.at(-1) as Value, operand);
  const leaf = compiler.scope.isTop
    ? globalLeaf(compiler, attributes, mutable)
    : localLeaf(compiler, mutable);
  return bindTo(value, destructure(compiler, pattern, leaf));
}

/** A node that gives its value after it was bound. */
export function bindTo(value: Node, bind: Bind): Node {
  const { run } = value;
  const finish = (bound: Value, frame: Frame): Step => {
    const step = bind.run(frame, bound);
    return isCall(step) ? after(step, () => bound, null) : bound;
  };
  const plainBind = bind.run;
  if (value.plain && bind.plain) {
    return {
      plain: true,
      run: (frame) => {
        const bound = run(frame) as Value;
        plainBind(frame, bound);
        return bound;
      },
    };
  }
  return {
    plain: false,
    run: (frame) => {
      const step = run(frame);
      return isCall(step) ? after(step, finish, frame) : finish(step, frame);
    },
  };
}

/** Names of a pattern as locals. */
export function localLeaf(compiler: Compiler, mutable: boolean): (name: Sym) => Bind {
  return (name) => {
    const slot = compiler.scope.define(name, mutable);
    return {
      plain: true,
      run: mutable
        ? (frame, value) => {
            frame[slot] = { v: value };
            return null;
          }
        : (frame, value) => {
            frame[slot] = value;
            return null;
          },
    };
  };
}

/** Names of a pattern in the environment. */
function globalLeaf(compiler: Compiler, attributes: Table, mutable: boolean): (name: Sym) => Bind {
  return (name) => {
    const entry = new Table();
    for (let slot = 0; slot < attributes.slots; slot++)
      if (attributes.liveAt(slot)) entry.put(attributes.keyAt(slot), attributes.valueAt(slot));
    const redefinable = !mutable && (truthy(compiler.env.get(keys.redef)) || truthy(entry.get(keys.redef)));
    if (redefinable) entry.put(keys.redef, true);
    if (mutable || redefinable) {
      const cell = redefinable ? (cellOf(compiler, name) ?? new JArray([null])) : new JArray([null]);
      entry.put(keys.ref, cell);
      declare(compiler, name, entry);
      compiler.scope.bind(name, { kind: "global", cell });
      return {
        plain: true,
        run: (_frame, value) => {
          cell.items[0] = value;
          return null;
        },
      };
    }
    declare(compiler, name, entry);
    const slot = compiler.scope.define(name, false);
    return {
      plain: true,
      run: (frame, value) => {
        frame[slot] = value;
        entry.put(keys.value, value);
        return null;
      },
    };
  };
}

/** The cell of a name that was made for redefinition before. */
function cellOf(compiler: Compiler, name: Sym): JArray | null {
  const old = compiler.env.get(name);
  const cell = old instanceof Table ? old.get(keys.ref) : null;
  return cell instanceof JArray ? cell : null;
}

function attributesOf(compiler: Compiler, written: readonly Value[], pattern: Value): Table {
  const attributes = new Table();
  for (const attribute of written) {
    if (attribute instanceof Kw) attributes.put(attribute, true);
    else if (typeof attribute === "string") attributes.put(keys.doc, attribute);
    else if (attribute instanceof Struct) {
      for (let slot = 0; slot < attribute.slots; slot++)
        if (attribute.liveAt(slot)) attributes.put(attribute.keyAt(slot), attribute.valueAt(slot));
    } else if (attribute instanceof Tuple) compiler.fail("unexpected form - did you intend to use defn?");
    else compiler.fail(`cannot add metadata ${show(attribute)} to binding ${show(pattern)}`);
  }
  return attributes;
}
