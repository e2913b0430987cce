import { show } from "../../print/describe.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { kw } from "../names.ts";
import type { Value } from "../value.ts";
import { binaryMethod, ownMethod } from "./methods.ts";

type Binary = (a: Value, b: Value, vm: Vm) => Value;
type Small = (a: Value, b: number, vm: Vm) => Value;

const names = {
  and: [kw("&"), kw("r&")],
  or: [kw("|"), kw("r|")],
  xor: [kw("^"), kw("r^")],
  left: [kw("<<"), kw("r<<")],
  right: [kw(">>"), kw("r>>")],
} as const;
const complement = kw("~");

/** `band`, `bor`, `bxor` of 32-bit integers; anything but two numbers goes through methods. @throws JanetError */
export const bitAnd: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? signed(a) & signed(b)
    : binaryMethod(vm, ...names.and, a, b);
export const bitOr: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? signed(a) | signed(b)
    : binaryMethod(vm, ...names.or, a, b);
export const bitXor: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? signed(a) ^ signed(b)
    : binaryMethod(vm, ...names.xor, a, b);

/** `blshift`, `brshift`, `brushift`; the distance counts modulo 32. */
export const shiftLeft: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? signed(a) << signed(b)
    : binaryMethod(vm, ...names.left, a, b);
export const shiftRight: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? signed(a) >> signed(b)
    : binaryMethod(vm, ...names.right, a, b);
export const shiftRightUnsigned: Binary = (a, b, vm) =>
  typeof a === "number" && typeof b === "number"
    ? unsigned(a) >>> unsigned(b)
    : binaryMethod(vm, ...names.right, a, b);

/** The shifts by a literal distance that fits a signed byte, as in arithmetic.ts. */
export const shiftLeftSmall: Small = (a, b, vm) =>
  typeof a === "number" ? signed(a) << b : ownMethod(vm, names.left[0], [a, b]);
export const shiftRightSmall: Small = (a, b, vm) =>
  typeof a === "number" ? signed(a) >> b : ownMethod(vm, names.right[0], [a, b]);
export const shiftRightUnsignedSmall: Small = (a, b, vm) =>
  typeof a === "number" ? unsigned(a) >>> b : ownMethod(vm, names.right[0], [a, b]);

/** `bnot`. A number that is no 32-bit integer is cut off as C does. */
export function bitNot(a: Value, vm: Vm): Value {
  if (typeof a !== "number") return ownMethod(vm, complement, [a]);
  return Math.abs(a) < 2 ** 31 ? ~a : ~-(2 ** 31);
}

function signed(value: number): number {
  if (value !== (value | 0)) panic(`value ${show(value)} out of range for 32-bit signed integers`);
  return value;
}

function unsigned(value: number): number {
  if (value !== value >>> 0) panic(`value ${show(value)} out of range for 32-bit unsigned integers`);
  return value;
}
