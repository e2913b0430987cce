import type { Abstract } from "../../values/abstract.ts";
import { Native } from "../../values/functions.ts";
import { type Kw, kw } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";

/** What differs between the two boxed integers. */
export interface IntegerKind {
  readonly signed: boolean;
  /** Keeps the lowest 64 bits. */
  wrap(value: bigint): bigint;
  make(value: bigint): Abstract<bigint>;
  /** @throws JanetError when the value stands for no such integer */
  unwrap(value: Value): bigint;
  /** What a number or a boxed integer of either kind is worth; null for any other value. */
  worth(value: Value): number | bigint | null;
}

const SMALLEST = -(1n << 63n);

/** The methods of a kind of boxed integer, which the operators call; the names with `r` take their operands the other way round. */
export function integerMethods(kind: IntegerKind): Map<Kw, Native> {
  const methods = new Map<Kw, Native>();
  const method = (name: string, min: number, max: number, run: (args: Value[]) => Value) =>
    methods.set(kw(name), new Native("cfunction", "", min, max, run, null));
  const binary = (name: string, reversed: string | null, compute: (a: bigint, b: bigint) => bigint) => {
    method(name, 2, Number.POSITIVE_INFINITY, (args) =>
      kind.make(args.map(kind.unwrap).reduce((a, b) => kind.wrap(compute(a, b)))),
    );
    if (reversed !== null)
      method(reversed, 2, 2, ([a = null, b = null]) => {
        const right = kind.unwrap(a);
        return kind.make(kind.wrap(compute(kind.unwrap(b), right)));
      });
  };

  const quotient = (a: bigint, b: bigint) => a / checkedDivisor(kind, a, b);
  const rest = (a: bigint, b: bigint) => a % checkedDivisor(kind, a, b);
  binary("+", "r+", (a, b) => a + b);
  binary("-", "r-", (a, b) => a - b);
  binary("*", "r*", (a, b) => a * b);
  binary("/", "r/", quotient);
  binary("div", "rdiv", (a, b) => {
    const whole = quotient(a, b);
    return a % b !== 0n && a < 0n !== b < 0n ? whole - 1n : whole;
  });
  binary("mod", "rmod", (a, b) => {
    if (b === 0n) return a;
    const left = a % b;
    return left !== 0n && left < 0n !== b < 0n ? left + b : left;
  });
  binary("%", "r%", rest);
  binary("&", "r&", (a, b) => a & b);
  binary("|", "r|", (a, b) => a | b);
  binary("^", "r^", (a, b) => a ^ b);
  method("~", 1, 1, ([a = null]) => kind.make(kind.wrap(~kind.unwrap(a))));
  // As the processor does: the distance counts modulo 64.
  binary("<<", null, (a, b) => a << (b & 63n));
  binary(">>", null, (a, b) => a >> (b & 63n));
  method("compare", 2, 2, ([a = null, b = null]) => compare(kind, kind.unwrap(a), b));
  return methods;
}

function checkedDivisor(kind: IntegerKind, a: bigint, b: bigint): bigint {
  if (b === 0n) panic("division by zero");
  if (kind.signed && b === -1n && a === SMALLEST) panic("INT64_MIN divided by -1");
  return b;
}

/** -1, 0 or 1 by value; nil for what is neither number nor boxed integer. */
function compare(kind: IntegerKind, a: bigint, b: Value): Value {
  const other = kind.worth(b);
  if (other === null) return null;
  // Both comparisons are exact between bigint and double; NaN counts as equal.
  return a < other ? -1 : a > other ? 1 : 0;
}
