import { makeS64, makeU64 } from "../core/math/int64.ts";
import { scanInteger } from "../core/math/scan-integer.ts";
import type { Abstract } from "../values/abstract.ts";
import { toDouble } from "./to-double.ts";

/** The digits and fraction of a number; without a base a leading `0x` or `36r` gives it. */
interface Head {
  readonly negative: boolean;
  /** 0: none was given or written. */
  readonly base: number;
  /** Where the digits begin. */
  readonly at: number;
}

/** Longer numbers are refused, so that none takes long. */
const LONGEST = 50_000;

/**
 * A number as the reader takes it, with `:n`, `:s` or `:u` at its end perhaps; undefined when it is none. Without a base, a leading
 * `0x` or `36r` gives it; else ten.
 */
export function scanNumber(text: string, base = 0): number | Abstract | undefined {
  if (base === 0 && text.length > 2 && text[text.length - 2] === ":") {
    const digits = text.slice(0, -2);
    switch (text.at(-1)) {
      case "n":
        return scanDouble(digits, 0);
      case "s":
        return boxed(digits, true);
      case "u":
        return boxed(digits, false);
    }
  }
  return scanDouble(text, base);
}

function boxed(text: string, signed: boolean): Abstract<bigint> | undefined {
  const whole = scanInteger(text);
  if (whole === null) return undefined;
  if (signed) return whole === BigInt.asIntN(64, whole) ? makeS64(whole) : undefined;
  return whole === BigInt.asUintN(64, whole) ? makeU64(whole) : undefined;
}

function scanHead(text: string, base: number): Head | undefined {
  if (text.length === 0 || text.length > LONGEST) return undefined;
  const negative = text[0] === "-";
  let at = negative || text[0] === "+" ? 1 : 0;
  if (base !== 0) return { negative, base, at };
  if (text[at] === "0" && text[at + 1] === "x") return { negative, base: 16, at: at + 2 };
  const radix = /^(?:(\d)|(\d\d))r/.exec(text.slice(at, at + 3));
  if (!radix) return { negative, base: 0, at };
  const read = Number(radix[1] ?? radix[2]);
  if (radix[2] !== undefined && (read < 2 || read > 36)) return undefined;
  at += radix[0].length;
  return { negative, base: read, at };
}

function scanDouble(text: string, given: number): number | undefined {
  const head = scanHead(text, given);
  if (head === undefined) return undefined;
  const base = head.base || 10;
  let digits = "";
  let exponent = 0;
  let point = false;
  let seen = false;
  let power: { readonly base: number; readonly at: number } | undefined;
  for (let at = head.at; at < text.length; at++) {
    const char = text[at] as string;
    if (char === ".") {
      if (point) return undefined;
      point = true;
    } else if (char === "&" || (base === 10 && (char === "e" || char === "E"))) {
      power = { base, at: at + 1 };
      break;
    } else if (base === 16 && (char === "p" || char === "P")) {
      power = { base: 2, at: at + 1 };
      break;
    } else if (char === "_") {
      if (!seen) return undefined;
    } else {
      if (digitOf(text.charCodeAt(at)) >= base) return undefined;
      seen = true;
      if (point) exponent--;
      if (digits !== "" || char !== "0") digits += char;
    }
  }
  if (!seen) return undefined;
  let written = 0;
  if (power) {
    const found = scanExponent(text, power.at, power.base === 2 && base === 16 ? 10 : base);
    if (found === undefined) return undefined;
    written = found;
  }
  const size = sizeOf(digits, base, exponent, power?.base ?? base, written);
  return head.negative ? -size : size;
}

function sizeOf(digits: string, base: number, exponent: number, powerBase: number, written: number): number {
  if (digits === "") return 0;
  if (base === 10) {
    const power = exponent + written;
    // An exact half needs more digits, so JS rounds these alike.
    if (digits.length <= 15 && digits.length + power <= 15 && power >= -300)
      return Number(`${digits}e${power}`);
    return toDouble(BigInt(digits), 10, power);
  }
  const whole = wholeOf(digits, base);
  if (powerBase === base) return toDouble(whole, base, exponent + written);
  return toDouble(whole, 2, 4 * exponent + written);
}

function wholeOf(digits: string, base: number): bigint {
  if (base === 16) return BigInt(`0x${digits}`);
  let whole = 0n;
  for (let at = 0; at < digits.length; at++)
    whole = whole * BigInt(base) + BigInt(digitOf(digits.charCodeAt(at)));
  return whole;
}

function scanExponent(text: string, from: number, base: number): number | undefined {
  let at = from;
  const negative = text[at] === "-";
  if (negative || text[at] === "+") at++;
  if (at >= text.length) return undefined;
  let exponent = 0;
  for (; at < text.length; at++) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit >= base) return undefined;
    exponent = Math.min(exponent * base + digit, 10_000_000);
  }
  return negative ? -exponent : exponent;
}

/** The value of a digit of up to base 36; 99 when the byte is none. */
function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 122 && byte < 128 ? lower - 87 : 99;
}
