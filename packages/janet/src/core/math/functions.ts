import { Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { integerAt, numberAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { erf, erfc, gamma, logGamma } from "./special.ts";

const singles: [name: string, doc: string, compute: (x: number) => number][] = [
  ["abs", "x without its sign.", Math.abs],
  ["acos", "The angle whose cosine is x.", Math.acos],
  ["acosh", "The number whose hyperbolic cosine is x.", Math.acosh],
  ["asin", "The angle whose sine is x.", Math.asin],
  ["asinh", "The number whose hyperbolic sine is x.", Math.asinh],
  ["atan", "The angle whose tangent is x.", Math.atan],
  ["atanh", "The number whose hyperbolic tangent is x.", Math.atanh],
  ["cbrt", "The cube root of x.", Math.cbrt],
  ["ceil", "The least whole number that is not below x.", Math.ceil],
  ["cos", "The cosine of an angle in radians.", Math.cos],
  ["cosh", "The hyperbolic cosine of x.", Math.cosh],
  ["erf", "The error function of x.", erf],
  ["erfc", "1 minus the error function of x.", erfc],
  ["exp", "e to the power of x.", Math.exp],
  ["exp2", "2 to the power of x.", (x) => 2 ** x],
  ["expm1", "e to the power of x, minus 1.", Math.expm1],
  ["floor", "The greatest whole number that is not above x.", Math.floor],
  ["gamma", "The gamma function of x.", gamma],
  ["log", "The natural logarithm of x.", Math.log],
  ["log-gamma", "The logarithm of the gamma function of x.", logGamma],
  ["log10", "The logarithm of x to base 10.", Math.log10],
  ["log1p", "The natural logarithm of 1 plus x.", Math.log1p],
  ["log2", "The logarithm of x to base 2.", Math.log2],
  ["round", "The nearest whole number; halves away from zero.", roundAway],
  ["sin", "The sine of an angle in radians.", Math.sin],
  ["sinh", "The hyperbolic sine of x.", Math.sinh],
  ["sqrt", "The square root of x.", Math.sqrt],
  ["tan", "The tangent of an angle in radians.", Math.tan],
  ["tanh", "The hyperbolic tangent of x.", Math.tanh],
  ["trunc", "x without its fraction.", Math.trunc],
];

const pairs: [name: string, usage: string, doc: string, compute: (x: number, y: number) => number][] = [
  ["atan2", "y x", "The angle of the point (x, y) from the x axis.", Math.atan2],
  ["gcd", "x y", "The greatest number that divides both.", gcd],
  ["hypot", "a b", "The third side of a right triangle.", hypot],
  ["lcm", "x y", "The least number that both divide.", (x, y) => (x / gcd(x, y)) * y],
  ["next", "x y", "The double after x in the direction of y.", nextAfter],
  ["pow", "a x", "a to the power of x.", power],
];

const constants: [name: string, value: number, doc: string][] = [
  ["pi", Math.PI, "The ratio of a circle's circumference to its diameter."],
  ["e", Math.E, "The base of natural logarithms."],
  ["inf", Number.POSITIVE_INFINITY, "The number above all others."],
  ["-inf", Number.NEGATIVE_INFINITY, "The number below all others."],
  ["nan", Number.NaN, "Not a number."],
  ["int-min", -(2 ** 53), "The least number from which on all integers are exact."],
  ["int-max", 2 ** 53, "The greatest number up to which all integers are exact."],
  ["int32-min", -(2 ** 31), "The least integer of 32 bits."],
  ["int32-max", 2 ** 31 - 1, "The greatest integer of 32 bits."],
];

/** `math/*` without random numbers. */
export function install(core: Registrar): void {
  for (const [name, doc, compute] of singles)
    core.cfun(`math/${name}`, 1, 1, `(math/${name} x)`, doc, (args) => compute(numberAt(args, 0)));
  for (const [name, usage, doc, compute] of pairs)
    core.cfun(`math/${name}`, 2, 2, `(math/${name} ${usage})`, doc, (args) =>
      compute(numberAt(args, 0), numberAt(args, 1)),
    );
  core.cfun(
    "math/frexp",
    1,
    1,
    "(math/frexp x)",
    "A tuple of a fraction from 0.5 to 1 and the power of 2 that make x.",
    (args) => frexp(numberAt(args, 0)),
  );
  core.cfun("math/ldexp", 2, 2, "(math/ldexp m e)", "m times 2 to the power of e.", (args) => {
    const fraction = numberAt(args, 0);
    return scale(fraction, integerAt(args, 1));
  });
  for (const [name, value, doc] of constants) core.value(`math/${name}`, value, doc);
}

function roundAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function gcd(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return Number.POSITIVE_INFINITY;
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** As C's `pow`: 1 to any power, and -1 to an infinite one, is 1. */
function power(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent))) return 1;
  return base ** exponent;
}

/** `Math.hypot` may be off in the last digit; one step towards the exact root mends it where the squares fit a double. */
function hypot(a: number, b: number): number {
  const root = Math.hypot(a, b);
  if (!(root > 1e-140 && root < 1e140)) return root;
  const [aa, aaRest] = square(a);
  const [bb, bbRest] = square(b);
  const [rr, rrRest] = square(root);
  const excess = rr - Math.max(aa, bb) - Math.min(aa, bb) + (rrRest - aaRest - bbRest);
  return root - excess / (2 * root);
}

/** A square and what rounding took from it (Dekker's product). */
function square(x: number): [rounded: number, rest: number] {
  const scaled = x * (2 ** 27 + 1);
  const high = scaled - (scaled - x);
  const low = x - high;
  const rounded = x * x;
  return [rounded, high * high - rounded + 2 * high * low + low * low];
}

function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  // The bits of a double, read as an integer, grow with its size.
  view.setBigInt64(0, view.getBigInt64(0) + (y > x === x > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

function frexp(x: number): Value {
  if (x === 0 || !Number.isFinite(x)) return new Tuple([x, 0]);
  const view = new DataView(new ArrayBuffer(8));
  // Subnormal numbers are first made large enough to have an exponent of their own.
  const tiny = Math.abs(x) < 2 ** -1022;
  view.setFloat64(0, tiny ? x * 2 ** 64 : x);
  const high = view.getUint32(0);
  const exponent = ((high >>> 20) & 0x7ff) - 1_022;
  view.setUint32(0, ((high & 0x800fffff) | (1_022 << 20)) >>> 0);
  return new Tuple([view.getFloat64(0), tiny ? exponent - 64 : exponent]);
}

/** In steps, none of which leaves the range of doubles before the result does. */
function scale(fraction: number, exponent: number): number {
  let result = fraction;
  let left = Math.max(-3_000, Math.min(3_000, exponent));
  for (; left > 1_000; left -= 1_000) result *= 2 ** 1_000;
  for (; left < -1_000; left += 1_000) result *= 2 ** -1_000;
  return result * 2 ** left;
}
