import { integerOf } from "./text.ts";
import { type Py, PyBytes, PyDate, PyError, PyMoment } from "./values.ts";

export const CORE = "tag:yaml.org,2002:";

const BOOLS = /^(?:(?:yes|Yes|YES|true|True|TRUE|on|On|ON)|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const TRUE = new Set(["yes", "true", "on"]);
const FALSE = new Set(["no", "false", "off"]);
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const INT =
  /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const NULLS = /^(?:~|null|Null|NULL|)$/;
const MOMENT =
  /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/;
const MOMENT_PARTS =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(Z|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?)?$/;

/** The tag that PyYAML gives to a plain value without one. */
export function plainTag(text: string): string {
  if (NULLS.test(text)) return `${CORE}null`;
  if (BOOLS.test(text)) return `${CORE}bool`;
  if (FLOAT.test(text)) return `${CORE}float`;
  if (INT.test(text)) return `${CORE}int`;
  if (MOMENT.test(text)) return `${CORE}timestamp`;
  if (text === "<<") return `${CORE}merge`;
  return text === "=" ? `${CORE}value` : `${CORE}str`;
}

/** The value of a text with one of the tags that a text can have. Undefined for any other tag. */
export function scalarOf(tag: string, text: string): Py | undefined {
  switch (tag) {
    case `${CORE}null`:
      return null;
    case `${CORE}bool`:
      return boolOf(text);
    case `${CORE}int`:
      return intOf(text);
    case `${CORE}float`:
      return floatOf(text);
    case `${CORE}timestamp`:
      return momentOf(text);
    case `${CORE}binary`:
      return bytesOf(text);
    case `${CORE}str`:
      return text;
    default:
      return undefined;
  }
}

function boolOf(text: string): boolean {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw new PyError("KeyError", `'${word}'`);
}

/** `+12` as a sign and the rest, without the underscores. */
function signed(text: string): [negative: boolean, rest: string] {
  const plain = text.replaceAll("_", "");
  if (plain === "") throw new PyError("IndexError", "string index out of range");
  return [plain.startsWith("-"), /^[-+]/.test(plain) ? plain.slice(1) : plain];
}

function intOf(text: string): bigint {
  const [negative, rest] = signed(text);
  const sign = negative ? -1n : 1n;
  if (rest === "0") return 0n;
  if (rest.startsWith("0b")) return sign * based(rest.slice(2), 2);
  if (rest.startsWith("0x")) return sign * based(rest.slice(2), 16);
  if (rest.startsWith("0")) return sign * based(rest.replace(/^0[oO]?/, "") || "0", 8);
  return (
    sign *
    rest
      .split(":")
      .reduce((sum, part) => sum * 60n + (isDigits(part) ? integerOf(part) : refused(10, rest)), 0n)
  );
}

const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);
const DIGITS: Readonly<Record<number, [RegExp, string]>> = {
  2: [/^[01]+$/, "0b"],
  8: [/^[0-7]+$/, "0o"],
  16: [/^[0-9a-fA-F]+$/, "0x"],
};

function based(digits: string, base: 2 | 8 | 16): bigint {
  const [allowed, prefix] = DIGITS[base] ?? [/$^/, ""];
  return allowed.test(digits) ? BigInt(prefix + digits) : refused(base, digits);
}

function refused(base: number, text: string): never {
  throw new PyError("ValueError", `invalid literal for int() with base ${base}: '${text}'`);
}

function floatOf(text: string): number {
  const [negative, rest] = signed(text.toLowerCase());
  const sign = negative ? -1 : 1;
  if (rest === ".inf") return sign * Number.POSITIVE_INFINITY;
  if (rest === ".nan") return Number.NaN;
  let sum = 0;
  let base = 1;
  for (const part of rest.split(":").toReversed()) {
    sum += plainFloat(part) * base;
    base *= 60;
  }
  return sign * (rest.includes(":") ? sum : plainFloat(rest));
}

function plainFloat(text: string): number {
  if (/^(?:inf|infinity)$/.test(text)) return Number.POSITIVE_INFINITY;
  if (text === "nan") return Number.NaN;
  if (/^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?$/.test(text)) return Number(text);
  throw new PyError("ValueError", `could not convert string to float: '${text}'`);
}

function momentOf(text: string): PyDate | PyMoment {
  const parts = MOMENT_PARTS.exec(text);
  if (!parts) throw new PyError("AttributeError", "'NoneType' object has no attribute 'groupdict'");
  const [, year, month, day, hour, minute, second, fraction, zone, sign, zoneHour, zoneMinute] = parts;
  const date = new PyDate(Number(year), Number(month), Number(day));
  if (hour === undefined) return date;
  const away = Number(zoneHour ?? 0) * 3600 + Number(zoneMinute ?? 0) * 60;
  const offset = zone === undefined ? null : sign === "-" ? 0 - away : away;
  const microsecond = Number((fraction ?? "").slice(0, 6).padEnd(6, "0"));
  return new PyMoment(date, [Number(hour), Number(minute), Number(second), microsecond], offset);
}

function bytesOf(text: string): PyBytes {
  const letters = text.replace(/[^A-Za-z0-9+/=]/g, "").replace(/=.*$/, "");
  const wholeBytes = letters.length % 4 !== 1;
  const padded = letters.length % 4 === 0 || /={1,}/.test(text);
  if (!wholeBytes || !padded) throw new PyError("binascii.Error", "Incorrect padding");
  return new PyBytes(Buffer.from(letters, "base64"));
}
