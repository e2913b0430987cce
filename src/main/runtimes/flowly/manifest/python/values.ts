/**
 * A value as Python's JSON and YAML readers make it. An integer is a `bigint` because Python's has no limit; a `number` is
 * always a float (`1.0`). The classes are the kinds that JavaScript has not.
 */
export type Py =
  | null
  | boolean
  | bigint
  | number
  | string
  | PyDate
  | PyMoment
  | PyBytes
  | PyList
  | PyTuple
  | PyDict
  | PySet;

export class PyDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;

  /** @throws PyError when the calendar has no such day */
  constructor(year: number, month: number, day: number) {
    if (year < 1) throw new PyError("ValueError", `year ${year} is out of range`);
    if (month < 1 || month > 12) throw new PyError("ValueError", "month must be in 1..12");
    if (day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate())
      throw new PyError("ValueError", "day is out of range for month");
    this.year = year;
    this.month = month;
    this.day = day;
  }
}

/** A date with a time of day. `offset`: seconds east of Greenwich, null when none was written. */
export class PyMoment {
  readonly date: PyDate;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  readonly offset: number | null;

  /** @throws PyError when a clock shows no such time */
  constructor(
    date: PyDate,
    [hour, minute, second, microsecond]: [number, number, number, number],
    offset: number | null,
  ) {
    if (hour > 23) throw new PyError("ValueError", "hour must be in 0..23");
    if (minute > 59) throw new PyError("ValueError", "minute must be in 0..59");
    if (second > 59) throw new PyError("ValueError", "second must be in 0..59");
    if (offset !== null && Math.abs(offset) >= 86_400)
      throw new PyError("ValueError", "offset must be a timedelta strictly between -24 and 24 hours");
    this.date = date;
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.microsecond = microsecond;
    this.offset = offset;
  }
}

export class PyBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export class PyList {
  readonly items: Py[] = [];
}

export class PyTuple {
  readonly items: readonly Py[];

  constructor(items: readonly Py[]) {
    this.items = items;
  }
}

/** Keeps the order in which keys came first, as Python's does; `1`, `1.0` and `true` are one key. */
export class PyDict {
  readonly #entries = new Map<unknown, [Py, Py]>();

  set(key: Py, value: Py): void {
    const known = this.#entries.get(sameness(key));
    if (known) known[1] = value;
    else this.#entries.set(sameness(key), [key, value]);
  }

  /** Undefined when there is no such key. */
  get(key: Py): Py | undefined {
    return this.#entries.get(sameness(key))?.[1];
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): readonly (readonly [Py, Py])[] {
    return [...this.#entries.values()];
  }
}

export class PySet {
  readonly dict: PyDict;

  constructor(dict: PyDict) {
    this.dict = dict;
  }
}

/** An exception of Python: its class and its text. */
export class PyError extends Error {
  readonly type: string;

  constructor(type: string, text: string) {
    super(text);
    this.type = type;
  }
}

/** What a map of JavaScript compares so that keys are the same when Python says so. */
function sameness(key: Py): unknown {
  if (typeof key === "boolean") return key ? 1n : 0n;
  if (typeof key === "number") return Number.isInteger(key) ? BigInt(key) : key;
  if (key instanceof PyDate) return `date ${key.year}-${key.month}-${key.day}`;
  if (key instanceof PyMoment) return `moment ${momentKey(key)}`;
  if (key instanceof PyBytes) return `bytes ${key.bytes.join()}`;
  return typeof key === "string" ? `text ${key}` : key;
}

function momentKey(moment: PyMoment): string {
  const { date, hour, minute, second, microsecond, offset } = moment;
  const plain = Date.UTC(date.year, date.month - 1, date.day, hour, minute, second);
  return `${plain - (offset ?? 0) * 1000}.${microsecond} ${offset === null}`;
}

/** Python's word for the class of a value. */
export function typeName(value: Py): string {
  if (value === null) return "NoneType";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  if (typeof value === "string") return "str";
  if (value instanceof PyDate) return "datetime.date";
  if (value instanceof PyMoment) return "datetime.datetime";
  if (value instanceof PyBytes) return "bytes";
  if (value instanceof PyList) return "list";
  if (value instanceof PyTuple) return "tuple";
  return value instanceof PyDict ? "dict" : "set";
}

/** Python's `bool(value)`. */
export function truthy(value: Py): boolean {
  if (value instanceof PyList || value instanceof PyTuple) return value.items.length > 0;
  if (value instanceof PyDict) return value.size > 0;
  if (value instanceof PySet) return value.dict.size > 0;
  if (value instanceof PyBytes) return value.bytes.length > 0;
  return Number.isNaN(value) || Boolean(value);
}
