import { equals } from "../../values/equality.ts";
import {
  addSmall,
  allInOrder,
  applyOperator,
  bitNot,
  compareValues,
  comparisons,
  operators,
  subtractSmall,
} from "../../values/operators.ts";
import type { Value } from "../../values/value.ts";
import type { Registrar } from "../registrar.ts";

const ANY = Number.POSITIVE_INFINITY;

const docs: Record<string, string> = {
  "+": "The sum of all xs, 0 without any.",
  "-": "The first x minus all others; the opposite of a lone one.",
  "*": "The product of all xs, 1 without any.",
  "/": "The first x divided by all others in turn; 1 divided by a lone one.",
  div: "As `/`, each quotient rounded down.",
  mod: "The rest of a division by each further x in turn, with the sign of the divisor; by 0 it is the dividend.",
  "%": "The rest of a division by each further x in turn, with the sign of the dividend.",
  band: "The bits that are set in all xs, which are 32-bit integers.",
  bor: "The bits that are set in any of xs, which are 32-bit integers.",
  bxor: "The bits that are set in an odd number of xs, which are 32-bit integers.",
  blshift: "The first x with its bits moved left by all others.",
  brshift: "The first x with its bits moved right by all others, keeping its sign.",
  brushift: "The first x, unsigned, with its bits moved right by all others.",
  "<": "Whether each x is less than the next.",
  "<=": "Whether each x is less than the next or the same.",
  ">": "Whether each x is greater than the next.",
  ">=": "Whether each x is greater than the next or the same.",
  "=": "Whether all xs are the same.",
};

/** The operators as functions; the compiler writes most calls of them out. */
export function install(core: Registrar): void {
  const doc = (name: string) => docs[name] as string;
  for (const [name, operator] of operators)
    core.fun(name, 0, ANY, `(${name} & xs)`, doc(name), (args, vm) => applyOperator(operator, args, vm));
  for (const [name, compare] of comparisons)
    core.fun(name, 0, ANY, `(${name} & xs)`, doc(name), (args) => allInOrder(compare, args));
  core.fun(
    "not=",
    0,
    ANY,
    "(not= & xs)",
    "Whether not all xs are the same.",
    (args) => !allInOrder(equals, args),
  );
  core.fun("bnot", 1, 1, "(bnot x)", "The opposite of every bit of a 32-bit integer.", (args, vm) =>
    bitNot(args[0] as Value, vm),
  );
  core.fun("inc", 1, 1, "(inc x)", "x plus 1.", (args, vm) => addSmall(args[0] as Value, 1, vm));
  core.fun("dec", 1, 1, "(dec x)", "x minus 1.", (args, vm) => subtractSmall(args[0] as Value, 1, vm));
  core.fun(
    "cmp",
    2,
    2,
    "(cmp x y)",
    "-1, 0 or 1 as x comes before y, is the same, or comes after it in the order of all values.",
    (args) => compareValues(args[0] as Value, args[1] as Value),
  );
}
