import { digitsOf } from "./digits.ts";

/** Above it not every integer is a double, and numbers print with an exponent. */
const LARGEST = 9_007_199_254_740_992;

/** A number as Janet prints it: integers in full, all else with at most 15 digits. */
export function numberText(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) <= LARGEST) return number === 0 ? "0" : number.toString();
  const size = Math.abs(number);
  if (size >= 1e-4 && size < 1e15) {
    // The shortest text that means this number has at most 15 digits here, and then C writes just those.
    const short = String(number);
    if (short.length <= 16) return short;
  }
  return generalText(number, 15);
}

/** `%.<digits>g` without zeros at the end. */
export function generalText(number: number, digits: number): string {
  if (!Number.isFinite(number)) return specialText(number);
  if (number === 0) return Object.is(number, -0) ? "-0" : "0";
  const { text, power } = digitsOf(Math.abs(number), digits);
  const sign = number < 0 ? "-" : "";
  const kept = text.replace(/0+$/, "");
  if (power < -4 || power >= digits) {
    const rest = kept.length > 1 ? `.${kept.slice(1)}` : "";
    return `${sign}${kept[0]}${rest}e${exponentText(power)}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${kept}`;
  const whole = kept.slice(0, power + 1).padEnd(power + 1, "0");
  return kept.length > power + 1 ? `${sign}${whole}.${kept.slice(power + 1)}` : sign + whole;
}

export function specialText(number: number): string {
  return Number.isNaN(number) ? "nan" : number < 0 ? "-inf" : "inf";
}

/** An exponent of ten as C writes it: sign and at least two digits. */
export function exponentText(power: number): string {
  return `${power < 0 ? "-" : "+"}${Math.abs(power).toString().padStart(2, "0")}`;
}
