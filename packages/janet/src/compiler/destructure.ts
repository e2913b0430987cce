import { show } from "../print/describe.ts";
import { pretty } from "../print/pretty.ts";
import { Abstract } from "../values/abstract.ts";
import { Kw, Sym, sym } from "../values/names.ts";
import { getValue, inValue, lengthOf } from "../values/operators.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { type Frame, POSITION } from "../vm/code.ts";
import { Fiber } from "../vm/fiber.ts";
import { panic } from "../vm/janet-error.ts";
import { after, isCall, type Step } from "../vm/step.ts";
import type { Vm } from "../vm/vm.ts";
import type { Compiler } from "./compile.ts";
import { operand } from "./node.ts";

/** Gives names to a value and its parts. */
export interface Bind {
  readonly plain: boolean;
  run(frame: Frame, value: Value): Step;
}

const rest = sym("&");

/** Compiles a pattern; `leaf` makes what binds one name. */
export function destructure(compiler: Compiler, pattern: Value, leaf: (name: Sym) => Bind): Bind {
  const bind = part(compiler, pattern, leaf);
  if (pattern instanceof Sym) return bind;
  const { position } = compiler;
  return {
    plain: bind.plain,
    run: (frame, value) => {
      frame[POSITION] = position;
      return bind.run(frame, value);
    },
  };
}

function part(compiler: Compiler, pattern: Value, leaf: (name: Sym) => Bind): Bind {
  // A small pattern may hold the same part again and again.
  compiler.vm.spend(5);
  if (pattern instanceof Sym) return leaf(pattern);
  if (pattern instanceof Tuple || pattern instanceof JArray)
    return sequencePattern(compiler, pattern.items, leaf);
  if (pattern instanceof Struct || pattern instanceof Table) return keyPattern(compiler, pattern, leaf);
  return compiler.fail(`unexpected type in destructuring, got ${show(pattern)}`);
}

function sequencePattern(compiler: Compiler, patterns: readonly Value[], leaf: (name: Sym) => Bind): Bind {
  const parts: Bind[] = [];
  for (const [at, pattern] of patterns.entries()) {
    if (pattern === rest) {
      parts.push(restBind(compiler, patterns.slice(at + 1), at, leaf));
      break;
    }
    const bind = part(compiler, pattern, leaf);
    parts.push({ plain: bind.plain, run: (frame, value) => bind.run(frame, itemAt(value, at)) });
  }
  return inOrder(parts);
}

function restBind(
  compiler: Compiler,
  names: readonly Value[],
  from: number,
  leaf: (name: Sym) => Bind,
): Bind {
  const { vm } = compiler;
  const found = `found ${pretty(new Tuple(names, true))}`;
  if (names.length === 0) compiler.fail("expected symbol following '& in destructuring pattern");
  if (names.length > 1)
    compiler.fail(`expected a single symbol follow '& in destructuring pattern, ${found}`);
  const name = names[0] as Value;
  if (!(name instanceof Sym))
    compiler.fail(`expected symbol following '& in destructuring pattern, found ${pretty(name)}`);
  const bind = leaf(name);
  return { plain: bind.plain, run: (frame, value) => bind.run(frame, restOf(value, from, vm)) };
}

function keyPattern(compiler: Compiler, pattern: Struct | Table, leaf: (name: Sym) => Bind): Bind {
  const parts: Bind[] = [];
  for (let slot = 0; slot < pattern.slots; slot++) {
    if (!pattern.liveAt(slot)) continue;
    const key = compiler.value(pattern.keyAt(slot), operand);
    const bind = part(compiler, pattern.valueAt(slot), leaf);
    const keyRun = key.run;
    parts.push({
      plain: key.plain && bind.plain,
      run: (frame, value) => {
        const step = keyRun(frame);
        if (isCall(step)) return after(step, (done) => bind.run(frame, inValue(value, done)), null);
        return bind.run(frame, inValue(value, step));
      },
    });
  }
  return inOrder(parts);
}

/** Several ones, one after the other. */
function inOrder(parts: readonly Bind[]): Bind {
  if (parts.length === 1) return parts[0] as Bind;
  if (parts.every(({ plain }) => plain)) {
    return {
      plain: true,
      run: (frame, value) => {
        for (let at = 0; at < parts.length; at++) (parts[at] as Bind).run(frame, value);
        return null;
      },
    };
  }
  const from = (start: number, frame: Frame, value: Value): Step => {
    for (let at = start; at < parts.length; at++) {
      const step = (parts[at] as Bind).run(frame, value);
      if (isCall(step)) return after(step, () => from(at + 1, frame, value), null);
    }
    return null;
  };
  return { plain: false, run: (frame, value) => from(0, frame, value) };
}

/** The item of a sequence or dictionary at an index; nil beyond its end. */
function itemAt(value: Value, at: number): Value {
  if (value instanceof Tuple || value instanceof JArray) return value.items[at] ?? null;
  if (!isIndexable(value))
    panic(`expected string, symbol, keyword, array, tuple, table, struct or buffer, got ${show(value)}`);
  return getValue(value, at);
}

function isIndexable(value: Value): boolean {
  return (
    typeof value === "string" ||
    value instanceof Kw ||
    value instanceof Sym ||
    value instanceof Table ||
    value instanceof Struct ||
    value instanceof JBuffer ||
    value instanceof Abstract ||
    value instanceof Fiber
  );
}

function restOf(value: Value, from: number, vm: Vm): Tuple {
  if (value instanceof Tuple || value instanceof JArray) return new Tuple(value.items.slice(from));
  const length = lengthOf(value, vm) as number;
  const items: Value[] = [];
  for (let at = from; at < length; at++) items.push(inValue(value, at));
  return new Tuple(items);
}
