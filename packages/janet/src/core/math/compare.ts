import { equals } from "../../values/equality.ts";
import { kw } from "../../values/names.ts";
import { callMethod } from "../../values/operators/methods.ts";
import {
  compareValues,
  getValue,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  modulo,
  negate,
} from "../../values/operators.ts";
import { truthy, type Value } from "../../values/value.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";

const ANY = Number.POSITIVE_INFINITY;
const compareMethod = kw("compare");

/** The comparisons that ask values for a method `:compare`, and the questions about numbers that rest on them. */
export function install(core: Registrar): void {
  core.fun(
    "compare",
    2,
    2,
    "(compare x y)",
    "As `cmp`, but first asks x and then y for a method `:compare`; one that gives nil or false does not know.",
    (args, vm) => compare(args[0] as Value, args[1] as Value, vm),
  );
  const chains: [name: string, doc: string, holds: (order: Value, zero: Value) => boolean][] = [
    ["compare=", "Whether each x compares as the same as the next.", equals],
    ["compare<", "Whether each x compares as less than the next.", less],
    ["compare<=", "Whether each x compares as less than the next or the same.", lessOrEqual],
    ["compare>", "Whether each x compares as greater than the next.", greater],
    ["compare>=", "Whether each x compares as greater than the next or the same.", greaterOrEqual],
  ];
  for (const [name, doc, holds] of chains)
    core.fun(name, 0, ANY, `(${name} & xs)`, doc, (args, vm) => {
      for (let at = 1; at < args.length; at++)
        if (!holds(compare(args[at - 1] as Value, args[at] as Value, vm), 0)) return false;
      return true;
    });

  const question = (name: string, doc: string, answer: (x: Value, vm: Vm) => boolean) =>
    core.fun(name, 1, 1, `(${name} x)`, doc, (args, vm) => answer(args[0] as Value, vm));
  question("even?", "Whether x is even.", (x, vm) => compare(0, modulo(x, 2, vm), vm) === 0);
  question("odd?", "Whether x is odd.", (x, vm) => compare(1, modulo(x, 2, vm), vm) === 0);
  question("zero?", "Whether x is zero.", (x, vm) => compare(x, 0, vm) === 0);
  question("pos?", "Whether x is greater than 0.", (x, vm) => compare(x, 0, vm) === 1);
  question("neg?", "Whether x is less than 0.", (x, vm) => compare(x, 0, vm) === -1);
  question("one?", "Whether x is one.", (x, vm) => compare(x, 1, vm) === 0);
}

function compare(x: Value, y: Value, vm: Vm): Value {
  if (typeof x === "number" && typeof y === "number") return compareValues(x, y);
  const own = getValue(x, compareMethod);
  if (truthy(own)) {
    const order = callMethod(vm, own, [x, y]);
    if (truthy(order)) return order;
  }
  const other = getValue(y, compareMethod);
  if (truthy(other)) {
    const order = callMethod(vm, other, [y, x]);
    if (truthy(order)) return negate(order, vm);
  }
  return compareValues(x, y);
}
