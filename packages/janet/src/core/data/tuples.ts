import { show } from "../../print/describe.ts";
import { kw } from "../../values/names.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { indexedAt, integerAt, rangeAt, tupleAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { makeItems } from "./limits.ts";

const ANY = Number.POSITIVE_INFINITY;

export function install(core: Registrar): void {
  core.cfun("tuple", 0, ANY, "(tuple & items)", "A tuple of the items.", (args) => new Tuple([...args]));
  core.cfun(
    "tuple/brackets",
    0,
    ANY,
    "(tuple/brackets & xs)",
    "A tuple of the items that is written with square brackets.",
    (args) => new Tuple([...args], true),
  );
  core.cfun(
    "tuple/slice",
    1,
    3,
    "(tuple/slice arrtup &opt start end)",
    "A part of an array or tuple as a tuple, from start up to but without end; negative positions count from past the end.",
    (args, vm) => {
      const items = indexedAt(args, 0);
      const { start, end } = rangeAt(args, 1, items.length);
      makeItems(vm, end - start);
      return new Tuple(items.slice(start, end));
    },
  );
  core.cfun(
    "tuple/type",
    1,
    1,
    "(tuple/type tup)",
    "How a tuple is written: `:parens` or `:brackets`.",
    (args) => kw(tupleAt(args, 0).bracketed ? "brackets" : "parens"),
  );
  core.cfun(
    "tuple/sourcemap",
    1,
    1,
    "(tuple/sourcemap tup)",
    "Line and column where a tuple was read; -1 for each when it was not.",
    (args) => {
      const { line, column } = tupleAt(args, 0);
      return new Tuple([line, column]);
    },
  );
  core.cfun(
    "tuple/setmap",
    3,
    3,
    "(tuple/setmap tup line column)",
    "Sets the line and column of a tuple; gives the tuple.",
    (args) => {
      const tuple = tupleAt(args, 0);
      const line = integerAt(args, 1);
      tuple.column = integerAt(args, 2);
      tuple.line = line;
      return tuple;
    },
  );
  core.cfun(
    "tuple/join",
    0,
    ANY,
    "(tuple/join & parts)",
    "A tuple of the items of several arrays and tuples.",
    (args, vm) => {
      const parts = args.map(itemsOf);
      makeItems(
        vm,
        parts.reduce((count, { length }) => count + length, 0),
      );
      return new Tuple(parts.flat());
    },
  );
}

function itemsOf(part: Value, at: number): readonly Value[] {
  return part instanceof JArray || part instanceof Tuple
    ? part.items
    : panic(`expected indexed type for argument ${at}, got ${show(part)}`);
}
