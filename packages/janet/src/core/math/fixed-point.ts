/**
 * Numbers as integers of `1 / 2^bits`, for the few functions that JS lacks and that must be right to the last digit: the error and
 * gamma functions. Slow beside doubles (tens of microseconds) and exact enough that rounding to a double is the only loss.
 */
export type Fixed = bigint;

/** The exact value of a finite double. */
export function toFixed(value: number, bits: number): Fixed {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const word = view.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const shift = Math.max(exponent, 1) - 1_075 + bits;
  const size = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  return value < 0 ? -size : size;
}

/** The nearest double. */
export function toDouble(value: Fixed, bits: number): number {
  if (value === 0n) return 0;
  const size = value < 0n ? -value : value;
  const length = size.toString(16).length * 4;
  // 64 significant bits, the lowest of which keeps whether anything was cut off.
  const cut = BigInt(Math.max(0, length - 64));
  const kept = size >> cut;
  const sticky = kept << cut === size ? kept : kept | 1n;
  const double =
    Number(sticky) * 2 ** Math.max(Number(cut) - bits, -1_000) * 2 ** Math.min(Number(cut) - bits + 1_000, 0);
  return value < 0n ? -double : double;
}

export function multiply(a: Fixed, b: Fixed, bits: number): Fixed {
  return (a * b) >> BigInt(bits);
}

export function divide(a: Fixed, b: Fixed, bits: number): Fixed {
  return (a << BigInt(bits)) / b;
}

/** e to the power of `x`. */
export function exp(x: Fixed, bits: number): Fixed {
  const log2 = ln2(bits);
  let power = x / log2;
  if (x < 0n) power -= 1n;
  const rest = x - power * log2;
  let term = 1n << BigInt(bits);
  let sum = term;
  for (let n = 1n; term !== 0n; n++) {
    term = multiply(term, rest, bits) / n;
    sum += term;
  }
  return power >= 0n ? sum << power : sum >> -power;
}

/** The natural logarithm of a positive number. */
export function ln(x: Fixed, bits: number): Fixed {
  const one = 1n << BigInt(bits);
  let power = 0n;
  let rest = x;
  while (rest > one + (one >> 1n)) {
    rest >>= 1n;
    power++;
  }
  while (rest < (one >> 1n) + (one >> 2n)) {
    rest <<= 1n;
    power--;
  }
  // The bits that the shifts cut off are kept by computing with the whole value.
  const exact = power > 0n ? x : rest;
  const scale = power > 0n ? one << power : one;
  const ratio = ((exact - scale) << BigInt(bits)) / (exact + scale);
  return 2n * artanh(ratio, bits) + power * ln2(bits);
}

/** The square root of a number that is not negative. */
export function sqrt(x: Fixed, bits: number): Fixed {
  const square = x << BigInt(bits);
  if (square === 0n) return 0n;
  let root = 1n << BigInt(square.toString(16).length * 2 + 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The ratio of a circle's circumference to its diameter, by Machin's formula. */
export function pi(bits: number): Fixed {
  return (4n * (4n * arctanOfInverse(5n, bits + 8) - arctanOfInverse(239n, bits + 8))) >> 8n;
}

function ln2(bits: number): Fixed {
  return 2n * artanh((1n << BigInt(bits)) / 3n, bits);
}

function artanh(x: Fixed, bits: number): Fixed {
  const square = multiply(x, x, bits);
  let power = x;
  let sum = 0n;
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = multiply(power, square, bits);
  }
  return sum;
}

function arctanOfInverse(x: bigint, bits: number): Fixed {
  let power = (1n << BigInt(bits)) / x;
  let sum = 0n;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += n % 4n === 1n ? power / n : -power / n;
    power /= x * x;
  }
  return sum;
}
