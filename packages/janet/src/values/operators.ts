import type { Vm } from "../vm/vm.ts";
import { equals } from "./equality.ts";
import * as arithmetic from "./operators/arithmetic.ts";
import * as bits from "./operators/bits.ts";
import * as order from "./operators/order.ts";
import type { Value } from "./value.ts";

export * from "./operators/access.ts";
export * from "./operators/arithmetic.ts";
export * from "./operators/bits.ts";
export * from "./operators/length.ts";
export * from "./operators/order.ts";

/** A core operator of any number of operands, which are taken from the left. */
export interface Operator {
  readonly binary: (a: Value, b: Value, vm: Vm) => Value;
  /** For a literal integer from -128 to 127 on the right; null: there is no such variant. */
  readonly small: ((a: Value, b: number, vm: Vm) => Value) | null;
  /** The result without operands. */
  readonly none: number;
  /** The left operand of a lone one. */
  readonly unit: number;
}

/** Arithmetic and bit operators by their names in Janet. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["+", { binary: arithmetic.add, small: arithmetic.addSmall, none: 0, unit: 0 }],
  ["-", { binary: arithmetic.subtract, small: arithmetic.subtractSmall, none: 0, unit: 0 }],
  ["*", { binary: arithmetic.multiply, small: arithmetic.multiplySmall, none: 1, unit: 1 }],
  ["/", { binary: arithmetic.divide, small: arithmetic.divideSmall, none: 1, unit: 1 }],
  ["div", { binary: arithmetic.floorDivide, small: null, none: 1, unit: 1 }],
  ["mod", { binary: arithmetic.modulo, small: null, none: 0, unit: 1 }],
  ["%", { binary: arithmetic.remainder, small: null, none: 0, unit: 1 }],
  ["band", { binary: bits.bitAnd, small: null, none: -1, unit: -1 }],
  ["bor", { binary: bits.bitOr, small: null, none: 0, unit: 0 }],
  ["bxor", { binary: bits.bitXor, small: null, none: 0, unit: 0 }],
  ["blshift", { binary: bits.shiftLeft, small: bits.shiftLeftSmall, none: 1, unit: 1 }],
  ["brshift", { binary: bits.shiftRight, small: bits.shiftRightSmall, none: 1, unit: 1 }],
  ["brushift", { binary: bits.shiftRightUnsigned, small: bits.shiftRightUnsignedSmall, none: 1, unit: 1 }],
]);

/** An operator applied as a function. A written-out unary `(- x)` is not this but {@link negate}. */
export function applyOperator(operator: Operator, args: readonly Value[], vm: Vm): Value {
  if (args.length === 0) return operator.none;
  if (args.length === 1) return operator.binary(operator.unit, args[0] as Value, vm);
  let result = args[0] as Value;
  for (let at = 1; at < args.length; at++) result = operator.binary(result, args[at] as Value, vm);
  return result;
}

/** What the compiler makes of `(- x)`: a multiplication by a small literal, as its error says. */
export function negate(a: Value, vm: Vm): Value {
  return arithmetic.multiplySmall(a, -1, vm);
}

/** Comparisons of neighbours by their names in Janet: true when each pair is in order, and for fewer than two operands. */
export const comparisons: ReadonlyMap<string, (a: Value, b: Value) => boolean> = new Map([
  ["<", order.less],
  ["<=", order.lessOrEqual],
  [">", order.greater],
  [">=", order.greaterOrEqual],
  ["=", equals],
]);

/** A comparison applied as a function. `not=` is the opposite of `=`. */
export function allInOrder(compare: (a: Value, b: Value) => boolean, args: readonly Value[]): boolean {
  for (let at = 1; at < args.length; at++)
    if (!compare(args[at - 1] as Value, args[at] as Value)) return false;
  return true;
}
