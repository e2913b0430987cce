/** The first digits of a number and the power of ten of the first one. */
export interface Digits {
  readonly text: string;
  readonly power: number;
}

/**
 * The first `count` (from 1) decimal digits of a positive finite number, correctly rounded, an exact half to the even digit as C does.
 * JS rounds such a half up, so its own conversion is taken only when there is none.
 */
export function digitsOf(number: number, count: number): Digits {
  if (count <= 90) {
    const [mantissa = "", power = "0"] = number.toExponential(count + 2).split("e");
    const all = mantissa.replace(".", "");
    if (!/^5?0*$/.test(all.slice(count))) {
      const [rounded = "", at = "0"] = number.toExponential(count - 1).split("e");
      return { text: rounded.replace(".", ""), power: Number(at) };
    }
    if (all[count] !== "5") return { text: all.slice(0, count), power: Number(power) };
  }
  return exactDigits(number, count);
}

function exactDigits(number: number, count: number): Digits {
  const { top, bottom } = fractionOf(number);
  let power = Math.floor(Math.log10(number));
  for (;;) {
    // number × 10^shift has `count` digits before its point.
    const shift = count - 1 - power;
    const rounded = divideEven(
      shift > 0 ? top * 10n ** BigInt(shift) : top,
      shift < 0 ? bottom * 10n ** BigInt(-shift) : bottom,
    );
    const text = rounded.toString();
    if (text.length === count) return { text, power };
    // The logarithm was one off, or it was rounded up to the next power of ten.
    power += text.length > count ? 1 : -1;
  }
}

/** `digits` digits after the point, correctly rounded, an exact half to even; of a finite number of at least 0. */
export function fixedText(number: number, digits: number): string {
  const { top, bottom } = fractionOf(number);
  const text = divideEven(top * 10n ** BigInt(digits), bottom)
    .toString()
    .padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function divideEven(top: bigint, bottom: bigint): bigint {
  const whole = top / bottom;
  const twice = 2n * (top - whole * bottom);
  return twice > bottom || (twice === bottom && whole % 2n === 1n) ? whole + 1n : whole;
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of a positive finite number: mantissa × 2^power. */
export function binaryOf(number: number): { readonly mantissa: bigint; readonly power: number } {
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const rest = bits & 0xf_ffff_ffff_ffffn;
  return exponent === 0
    ? { mantissa: rest, power: -1_074 }
    : { mantissa: rest | (1n << 52n), power: exponent - 1_075 };
}

function fractionOf(number: number): { readonly top: bigint; readonly bottom: bigint } {
  const { mantissa, power } = binaryOf(number);
  return power >= 0
    ? { top: mantissa << BigInt(power), bottom: 1n }
    : { top: mantissa, bottom: 1n << BigInt(-power) };
}
