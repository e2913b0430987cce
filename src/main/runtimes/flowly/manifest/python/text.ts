import { type Py, PyBytes, PyDate, PyDict, PyError, PyList, PyMoment, PySet, PyTuple } from "./values.ts";

/** Python's `str(value)`. @throws PyError for an integer with more digits than Python writes */
export function pyStr(value: Py): string {
  if (typeof value === "string") return value;
  if (value instanceof PyDate) return dateText(value);
  if (value instanceof PyMoment) return momentText(value);
  return pyRepr(value);
}

/** Python's `repr(value)`; a value inside itself is `[...]` or `{...}`. */
export function pyRepr(value: Py, within: ReadonlySet<Py> = new Set()): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return integerText(value);
  if (typeof value === "number") return floatText(value);
  if (typeof value === "string") return quoted(value);
  if (value instanceof PyDate) return `datetime.date(${value.year}, ${value.month}, ${value.day})`;
  if (value instanceof PyMoment) return momentRepr(value);
  if (value instanceof PyBytes) return bytesRepr(value.bytes);
  const inner = new Set(within).add(value);
  const known = within.has(value);
  if (value instanceof PyDict) {
    if (known) return "{...}";
    return `{${value
      .entries()
      .map(([key, item]) => `${pyRepr(key, inner)}: ${pyRepr(item, inner)}`)
      .join(", ")}}`;
  }
  if (value instanceof PySet) {
    if (known) return "set(...)";
    const keys = value.dict.entries().map(([key]) => pyRepr(key, inner));
    return keys.length === 0 ? "set()" : `{${keys.join(", ")}}`;
  }
  if (known) return value instanceof PyList ? "[...]" : "(...)";
  const items = value.items.map((item) => pyRepr(item, inner)).join(", ");
  return value instanceof PyList ? `[${items}]` : `(${items}${value.items.length === 1 ? "," : ""})`;
}

/** The same value for JSON: integers too large for a number, dates and the like are texts. */
export function jsonLike(value: Py, within: ReadonlySet<Py> = new Set()): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : integerText(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : floatText(value);
  if (within.has(value)) return pyRepr(value, within);
  const inner = new Set(within).add(value);
  if (value instanceof PyList || value instanceof PyTuple)
    return value.items.map((item) => jsonLike(item, inner));
  if (value instanceof PyDict)
    return Object.fromEntries(
      value.entries().map(([key, item]) => [pyStr(key), jsonLike(item, inner)] as const),
    );
  return pyStr(value);
}

/** Python's own limit, against texts that take long to make. */
const MOST_DIGITS = 4300;

function integerText(value: bigint): string {
  const text = value.toString();
  if (text.length - (value < 0n ? 1 : 0) > MOST_DIGITS)
    throw new PyError(
      "ValueError",
      `Exceeds the limit (${MOST_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  return text;
}

/** @throws PyError like Python's `int(text)` for digits alone */
export function integerOf(digits: string, sign = 1n): bigint {
  if (digits.length > MOST_DIGITS)
    throw new PyError(
      "ValueError",
      `Exceeds the limit (${MOST_DIGITS} digits) for integer string conversion: value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  return sign * BigInt(digits);
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  const plain =
    exponent < 0 ? value.toFixed(mantissa.replace(/[-.]/g, "").length - 1 - exponent) : `${value}`;
  return plain.includes(".") ? plain : `${plain}.0`;
}

const PLAIN_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = Array.from(text, (character) => {
    if (character === quote || character === "\\") return `\\${character}`;
    if (character === " " || !UNPRINTABLE.test(character)) return character;
    return PLAIN_ESCAPES[character] ?? numbered(character.codePointAt(0) ?? 0);
  });
  return quote + inside.join("") + quote;
}

function numbered(code: number): string {
  if (code <= 0xff) return `\\x${hex(code, 2)}`;
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, width: number): string => code.toString(16).padStart(width, "0");

function bytesRepr(bytes: Uint8Array): string {
  const text = Array.from(bytes, (code) => String.fromCharCode(code));
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.map((character) => {
    if (character === quote || character === "\\") return `\\${character}`;
    if (character >= " " && character <= "~") return character;
    return PLAIN_ESCAPES[character] ?? `\\x${hex(character.charCodeAt(0), 2)}`;
  });
  return `b${quote}${inside.join("")}${quote}`;
}

const two = (number: number): string => String(number).padStart(2, "0");

function dateText({ year, month, day }: PyDate): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function momentText(moment: PyMoment): string {
  const { date, hour, minute, second, microsecond, offset } = moment;
  const fraction = microsecond === 0 ? "" : `.${String(microsecond).padStart(6, "0")}`;
  const time = `${two(hour)}:${two(minute)}:${two(second)}${fraction}`;
  if (offset === null) return `${dateText(date)} ${time}`;
  const minutes = Math.abs(offset) / 60;
  const zone = `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${dateText(date)} ${time}${zone}`;
}

function momentRepr(moment: PyMoment): string {
  const { date, hour, minute, second, microsecond, offset } = moment;
  const parts = [date.year, date.month, date.day, hour, minute, second, microsecond];
  if (microsecond === 0) parts.pop();
  if (microsecond === 0 && second === 0) parts.pop();
  const zone = offset === null ? "" : `, tzinfo=${zoneRepr(offset)}`;
  return `datetime.datetime(${parts.join(", ")}${zone})`;
}

function zoneRepr(offset: number): string {
  if (offset === 0) return "datetime.timezone.utc";
  const delta = offset < 0 ? `days=-1, seconds=${offset + 86_400}` : `seconds=${offset}`;
  return `datetime.timezone(datetime.timedelta(${delta}))`;
}
