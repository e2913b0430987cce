import { divide, exp, type Fixed, ln, multiply, pi, sqrt, toDouble, toFixed } from "./fixed-point.ts";

/** Beyond these, the functions round to their limits. */
const ERF_LIMIT = 6;
const ERFC_LIMIT = 27.3;
const GAMMA_LIMIT = 171.6243769563027;

/** The error function. */
export function erf(x: number): number {
  if (Number.isNaN(x) || x === 0) return x;
  if (Math.abs(x) >= ERF_LIMIT) return Math.sign(x);
  // Small results need more digits behind the point.
  const bits = 200 + Math.max(0, -2 * Math.floor(Math.log2(Math.abs(x))));
  if (bits > 700) return (2 / Math.sqrt(Math.PI)) * x;
  return toDouble(fixedErf(x, bits), bits);
}

/** 1 minus the error function, exact where that difference is small. */
export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x <= -ERF_LIMIT) return 2;
  if (x >= ERFC_LIMIT) return 0;
  // erfc(x) is about e^(-x²); the series adds terms as large as e^(x²).
  const bits = 200 + Math.ceil(3 * x * x);
  return toDouble((1n << BigInt(bits)) - fixedErf(x, bits), bits);
}

/** 2/√π · Σ (-1)ⁿ x²ⁿ⁺¹ / (n! (2n+1)). */
function fixedErf(x: number, bits: number): Fixed {
  const value = toFixed(x, bits);
  const square = multiply(value, value, bits);
  let power = value;
  let sum = 0n;
  for (let n = 0n; power !== 0n && power !== -1n; n++) {
    sum += power / (2n * n + 1n);
    power = -multiply(power, square, bits) / (n + 1n);
  }
  return divide(2n * sum, sqrt(pi(bits), bits), bits);
}

/** The gamma function. NaN for negative whole numbers. */
export function gamma(x: number): number {
  if (Number.isNaN(x) || x === Number.POSITIVE_INFINITY) return x;
  if (x === 0) return 1 / x;
  if (Number.isInteger(x) && x < 0) return Number.NaN;
  if (x === Number.NEGATIVE_INFINITY) return Number.NaN;
  if (x > GAMMA_LIMIT) return Number.POSITIVE_INFINITY;
  if (x < -184) return Math.floor(x) % 2 === 0 ? 0 : -0;
  const bits = 400 + Math.max(0, -Math.floor(Math.log2(Math.abs(x))));
  const { numerator, denominator } = gammaParts(x, bits);
  // A shift by as many bits as the result may be small keeps its digits.
  return toDouble((numerator << BigInt(bits + 1_200)) / denominator, bits + 1_200);
}

/** The logarithm of the gamma function's size. */
export function logGamma(x: number): number {
  if (Number.isNaN(x)) return x;
  if (!Number.isFinite(x) || (x <= 0 && Number.isInteger(x))) return Number.POSITIVE_INFINITY;
  if (x === 1 || x === 2) return 0;
  if (Math.abs(x) < 1e-30) return -Math.log(Math.abs(x));
  if (x > 150) {
    const square = 1 / (x * x);
    const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x;
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
  }
  if (x < -150)
    return Math.log(Math.PI / Math.abs(x * Math.sin(Math.PI * (x - Math.floor(x))))) - logGamma(-x);
  const bits = 400;
  const { numerator, denominator } = gammaParts(x, bits);
  const size = divide(
    numerator < 0n ? -numerator : numerator,
    denominator < 0n ? -denominator : denominator,
    bits,
  );
  return toDouble(ln(size, bits), bits);
}

/**
 * Γ(x) as a fraction of two fixed-point numbers. With y from 1 to 2 and N = 128, Γ(y) is N^y e^-N Σ N^k / (y(y+1)…(y+k)) up to
 * e^-N; whole steps lead from y to x.
 */
function gammaParts(x: number, bits: number): { numerator: Fixed; denominator: Fixed } {
  const one = 1n << BigInt(bits);
  const value = toFixed(x, bits);
  const steps = Math.floor(x) - 1;
  const y = value - BigInt(steps) * one;
  const count = 128n;
  let term = divide(one, y, bits);
  let sum = 0n;
  for (let k = 1n; term !== 0n; k++) {
    sum += term;
    term = divide(term * count, y + k * one, bits);
  }
  let numerator = multiply(sum, exp(multiply(y, ln(count * one, bits), bits) - count * one, bits), bits);
  let denominator = one;
  for (let step = 0; step < steps; step++) numerator = multiply(numerator, y + BigInt(step) * one, bits);
  for (let step = 0; step > steps; step--)
    denominator = multiply(denominator, y + BigInt(step - 1) * one, bits);
  return { numerator, denominator };
}
