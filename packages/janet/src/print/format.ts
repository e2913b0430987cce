import { bytesAt, integerAt, numberAt } from "../core/arguments.ts";
import { unwrapS64, unwrapU64 } from "../core/math/int64.ts";
import { typeName } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import { show, textOf } from "./describe.ts";
import { type Effort, newEffort } from "./effort.ts";
import { jdn } from "./jdn.ts";
import { pretty } from "./pretty.ts";
import { type Conversion, formatDouble, formatText, formatWhole } from "./printf.ts";

const FLAGS = "-+ #0";
const WIDTH = 80;

/**
 * Fills the conversions of a format (bytes) with arguments.
 * @param start where in `args` the values begin; errors name the slots of `args`
 * @param vm whose work it is
 */
export function formatArgs(
  format: string,
  args: readonly Value[],
  start: number,
  vm?: { spend(steps: number): void },
): string {
  const effort = newEffort(vm);
  let text = "";
  let next = start;
  let at = 0;
  for (;;) {
    const percent = format.indexOf("%", at);
    if (percent < 0) return text + format.slice(at);
    text += format.slice(at, percent);
    if (format[percent + 1] === "%") {
      text += "%";
      at = percent + 2;
      continue;
    }
    if (next >= args.length) panic("not enough values for format");
    const spec = scanConversion(format, percent);
    text += convert(spec, args, next++, effort);
    at = percent + spec.text.length;
  }
}

function scanConversion(format: string, percent: number): Conversion {
  let at = percent + 1;
  while (at < format.length && FLAGS.includes(format[at] as string)) at++;
  const flags = format.slice(percent + 1, at);
  if (flags.length > FLAGS.length) panic("invalid format (repeated flags)");
  const digits = () => {
    const from = at;
    while (at < from + 2 && isDigit(format[at])) at++;
    return format.slice(from, at);
  };
  const width = Number(digits());
  let precision: number | undefined;
  if (format[at] === ".") {
    at++;
    precision = Number(digits());
  }
  if (isDigit(format[at])) panic("invalid format (width or precision too long)");
  return {
    text: format.slice(percent, at + 1),
    flags,
    width,
    precision,
    letter: format[at] ?? "",
  };
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= "0" && char <= "9";
}

function convert(spec: Conversion, args: readonly Value[], at: number, effort: Effort): string {
  const value = args[at] as Value;
  switch (spec.letter) {
    case "c":
      return formatText({ ...spec, precision: undefined }, String.fromCharCode(integerAt(args, at) & 0xff));
    case "d":
    case "i":
      return formatWhole(spec, unwrapS64(value));
    case "u":
    case "x":
    case "X":
    case "o":
      return formatWhole(spec, unwrapU64(value));
    case "a":
    case "A":
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return formatDouble(spec, numberAt(args, at));
    case "s": {
      const bytes = bytesAt(args, at);
      if (bytes.includes("\0")) panic("bytes contain embedded 0s");
      return formatText(spec, bytes);
    }
    case "v":
      return show(value);
    case "V":
      return textOf(value);
    case "t":
      return typeName(value);
    case "j":
      return jdn(value, spec.precision || undefined, effort);
  }
  return convertPretty(spec, value, effort);
}

/** p: lines; q: one line; m and n: the same with nothing left out. Upper case: with color. */
function convertPretty(spec: Conversion, value: Value, effort: Effort): string {
  const letter = spec.letter.toLowerCase();
  if (letter === "" || !"pqmn".includes(letter))
    return panic(`invalid conversion '${spec.text}' to 'format'`);
  const lines = letter === "p" || letter === "m";
  return pretty(value, {
    depth: spec.precision || undefined,
    width: lines ? spec.width || WIDTH : undefined,
    color: letter !== spec.letter,
    full: letter === "m" || letter === "n",
    effort,
  });
}
