import type { Vm } from "../../vm/vm.ts";
import { kw } from "../names.ts";
import type { Value } from "../value.ts";
import { binaryMethod, ownMethod } from "./methods.ts";

type Binary = (a: Value, b: Value, vm: Vm) => Value;
type Small = (a: Value, b: number, vm: Vm) => Value;

const names = {
  add: [kw("+"), kw("r+")],
  subtract: [kw("-"), kw("r-")],
  multiply: [kw("*"), kw("r*")],
  divide: [kw("/"), kw("r/")],
  floorDivide: [kw("div"), kw("rdiv")],
  modulo: [kw("mod"), kw("rmod")],
  remainder: [kw("%"), kw("r%")],
} as const;

/** `+`, `-`, `*`, `/` of two values; anything but two numbers goes through methods. @throws JanetError */
export const add: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number" ? a + b : binaryMethod(vm, ...names.add, a, b);
export const subtract: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number" ? a - b : binaryMethod(vm, ...names.subtract, a, b);
export const multiply: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number" ? a * b : binaryMethod(vm, ...names.multiply, a, b);
export const divide: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number" ? a / b : binaryMethod(vm, ...names.divide, a, b);

/** `div`: the quotient rounded down. */
export const floorDivide: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? Math.floor(a / b)
    : binaryMethod(vm, ...names.floorDivide, a, b);
/** `mod`: has the sign of the divisor; by 0 it is the dividend. */
export const modulo: Binary = (a, b, vm) => {
  if (typeof a !== "number" || typeof b !== "number") return binaryMethod(vm, ...names.modulo, a, b);
  return b === 0 ? a : a - b * Math.floor(a / b);
};
/** `%`: has the sign of the dividend. */
export const remainder: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number" ? a % b : binaryMethod(vm, ...names.remainder, a, b);

/**
 * Variants for a literal integer on the right that fits a signed byte, for calls that the compiler writes out: they ask the left
 * side alone for a method, and so fail with other words.
 */
export const addSmall: Small = (a, b, vm) =>
  typeof a === "number" ? a + b : ownMethod(vm, names.add[0], [a, b]);
export const subtractSmall: Small = (a, b, vm) =>
  typeof a === "number" ? a - b : ownMethod(vm, names.subtract[0], [a, b]);
export const multiplySmall: Small = (a, b, vm) =>
  typeof a === "number" ? a * b : ownMethod(vm, names.multiply[0], [a, b]);
export const divideSmall: Small = (a, b, vm) =>
  typeof a === "number" ? a / b : ownMethod(vm, names.divide[0], [a, b]);
