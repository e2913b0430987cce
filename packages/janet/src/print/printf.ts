import { binaryOf, digitsOf, fixedText } from "./digits.ts";
import { exponentText, generalText, specialText } from "./numbers.ts";

/** One conversion of a C format: `%-08.3f`. */
export interface Conversion {
  /** As it is written, from the percent sign. */
  readonly text: string;
  /** The flags: left, sign, space, alternative form, zeros. */
  readonly flags: string;
  readonly width: number;
  /** Absent: none was given. */
  readonly precision: number | undefined;
  readonly letter: string;
}

/** Fills a conversion to its width. `digits` lets zeros stand between sign and digits. */
function fill(spec: Conversion, sign: string, body: string, digits: boolean): string {
  const missing = spec.width - sign.length - body.length;
  if (missing <= 0) return sign + body;
  if (spec.flags.includes("-")) return sign + body + " ".repeat(missing);
  if (digits && spec.flags.includes("0")) return sign + "0".repeat(missing) + body;
  return " ".repeat(missing) + sign + body;
}

function signOf(spec: Conversion, negative: boolean): string {
  if (negative) return "-";
  return spec.flags.includes("+") ? "+" : spec.flags.includes(" ") ? " " : "";
}

/** `%s`, `%c`: text cut to the precision, filled to the width. */
export function formatText(spec: Conversion, text: string): string {
  return fill(spec, "", spec.precision === undefined ? text : text.slice(0, spec.precision), false);
}

/** `%d %i %u %x %X %o` of a whole number; it is not negative for the last four. */
export function formatWhole(spec: Conversion, whole: bigint): string {
  const signed = spec.letter === "d" || spec.letter === "i";
  const size = whole < 0n ? -whole : whole;
  const radix = spec.letter === "o" ? 8 : spec.letter.toLowerCase() === "x" ? 16 : 10;
  let digits = size.toString(radix);
  if (spec.precision === 0 && size === 0n) digits = "";
  digits = digits.padStart(spec.precision ?? 0, "0");
  let prefix = signed ? signOf(spec, whole < 0n) : "";
  if (spec.flags.includes("#")) {
    if (radix === 8 && digits[0] !== "0") digits = `0${digits}`;
    if (radix === 16 && size !== 0n) prefix = "0x";
  }
  const text = fill(spec, prefix, digits, spec.precision === undefined);
  return spec.letter === "X" ? text.toUpperCase() : text;
}

/** `%f %e %g %a` and their upper-case forms of a double. */
export function formatDouble(spec: Conversion, number: number): string {
  const sign = signOf(spec, number < 0 || Object.is(number, -0));
  const finite = Number.isFinite(number);
  const letter = spec.letter.toLowerCase();
  const hex = letter === "a" && finite;
  const body = finite ? bodyOf(spec, letter, Math.abs(number)) : specialText(Math.abs(number));
  const text = fill(spec, hex ? `${sign}0x` : sign, body, finite);
  return spec.letter === letter ? text : text.toUpperCase();
}

function bodyOf(spec: Conversion, letter: string, size: number): string {
  const alternative = spec.flags.includes("#");
  const precision = spec.precision ?? 6;
  switch (letter) {
    case "f":
      return fixedText(size, precision) + (alternative && precision === 0 ? "." : "");
    case "e":
      return scientific(size, precision, alternative);
    case "g":
      return general(size, Math.max(1, precision), alternative);
    default:
      return hexadecimal(size, spec.precision, alternative);
  }
}

function scientific(size: number, precision: number, point: boolean): string {
  const { text, power } =
    size === 0 ? { text: "0".repeat(precision + 1), power: 0 } : digitsOf(size, precision + 1);
  const rest = precision > 0 || point ? `.${text.slice(1)}` : "";
  return `${text[0]}${rest}e${exponentText(power)}`;
}

function general(size: number, digits: number, alternative: boolean): string {
  if (!alternative) return generalText(size, digits);
  // With `#` zeros at the end stay, and the point too.
  const power = size === 0 ? 0 : digitsOf(size, digits).power;
  if (power < -4 || power >= digits) return scientific(size, digits - 1, true);
  const fixed = fixedText(size, digits - 1 - power);
  return fixed.includes(".") ? fixed : `${fixed}.`;
}

function hexadecimal(size: number, precision: number | undefined, point: boolean): string {
  let { mantissa, power } = binaryOf(size);
  if (mantissa === 0n) power = 0;
  else {
    // A number too small for a full mantissa keeps a leading zero, as the GNU library writes it.
    power += 52;
    if (mantissa >> 52n === 0n) power = -1_022;
  }
  let digits = 13;
  if (precision !== undefined && precision < 13) {
    const cut = BigInt(4 * (13 - precision));
    const half = 1n << (cut - 1n);
    const rest = mantissa & ((1n << cut) - 1n);
    mantissa >>= cut;
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa += 1n;
    digits = precision;
  }
  const lead = mantissa >> BigInt(4 * digits);
  let rest = digits === 0 ? "" : (mantissa - (lead << BigInt(4 * digits))).toString(16).padStart(digits, "0");
  rest = precision === undefined ? rest.replace(/0+$/, "") : rest.padEnd(precision, "0");
  const dot = rest !== "" || point ? "." : "";
  return `${lead}${dot}${rest}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
