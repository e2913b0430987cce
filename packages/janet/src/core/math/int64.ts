import { show } from "../../print/describe.ts";
import { pretty } from "../../print/pretty.ts";
import { Abstract, type AbstractType } from "../../values/abstract.ts";
import type { Native } from "../../values/functions.ts";
import { Kw, kw } from "../../values/names.ts";
import { JBuffer } from "../../values/sequences.ts";
import { typeName } from "../../values/types.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { keywordAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { type IntegerKind, integerMethods } from "./int64-methods.ts";
import { scanInteger } from "./scan-integer.ts";

/** Doubles beyond this do not say which integer they mean. */
const LARGEST_DOUBLE = 2 ** 53;

function makeType(name: string, kind: () => IntegerKind): AbstractType<bigint> {
  let methods: Map<Kw, Native> | null = null;
  const table = () => {
    methods ??= integerMethods(kind());
    return methods;
  };
  return {
    name,
    get: (_data, key) => (key instanceof Kw ? table().get(key) : undefined),
    next(_data, key) {
      const keys = [...table().keys()];
      return keys[key === null ? 0 : keys.indexOf(key as Kw) + 1] ?? null;
    },
    show: String,
    equals: (a, b) => a === b,
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
    hash: (data) => Number(BigInt.asIntN(32, data ^ (data >> 32n))),
  };
}

/** `int/s64`: 64 bits with a sign, as a bigint. */
export const s64Type = makeType("core/s64", () => s64);
/** `int/u64`: 64 bits without. */
export const u64Type = makeType("core/u64", () => u64);

const s64: IntegerKind = {
  signed: true,
  wrap: (value) => BigInt.asIntN(64, value),
  make: (value) => new Abstract(s64Type, value),
  unwrap: unwrapS64,
  worth: (value) => (typeof value === "number" ? value : isInt64(value) ? value.data : null),
};
const u64: IntegerKind = { ...s64, signed: false, wrap: asU64, make: makeU64, unwrap: unwrapU64 };

export function isInt64(value: Value): value is Abstract<bigint> {
  return value instanceof Abstract && (value.type === s64Type || value.type === u64Type);
}

export function makeS64(value: bigint): Abstract<bigint> {
  return new Abstract(s64Type, BigInt.asIntN(64, value));
}

export function makeU64(value: bigint): Abstract<bigint> {
  return new Abstract(u64Type, asU64(value));
}

/** A value as a signed 64-bit integer: from a whole number, a numeral in a string, or another 64-bit integer's bits. @throws JanetError */
export function unwrapS64(value: Value): bigint {
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= LARGEST_DOUBLE)
    return BigInt(value);
  if (isInt64(value)) return BigInt.asIntN(64, value.data);
  const scanned = typeof value === "string" ? scanInteger(value) : null;
  if (scanned !== null && BigInt.asIntN(64, scanned) === scanned) return scanned;
  return panic(`can not convert ${typeName(value)} ${pretty(value)} to 64 bit signed integer`);
}

/** The same without sign. */
export function unwrapU64(value: Value): bigint {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LARGEST_DOUBLE)
    return BigInt(value);
  if (isInt64(value)) return asU64(value.data);
  const scanned = typeof value === "string" ? scanInteger(value) : null;
  if (scanned !== null && asU64(scanned) === scanned) return scanned;
  return panic(`can not convert ${typeName(value)} ${pretty(value)} to a 64 bit unsigned integer`);
}

/** The eight bytes of an integer, the lowest first. */
export function integerBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, asU64(value), true);
  return bytes;
}

export function install(core: Registrar): void {
  core.cfun("int/s64", 1, 1, "(int/s64 value)", "Makes a boxed signed 64-bit integer.", (args) =>
    makeS64(unwrapS64(args[0] as Value)),
  );
  core.cfun("int/u64", 1, 1, "(int/u64 value)", "Makes a boxed unsigned 64-bit integer.", (args) =>
    makeU64(unwrapU64(args[0] as Value)),
  );
  core.cfun(
    "int/to-number",
    1,
    1,
    "(int/to-number value)",
    "Turns a boxed 64-bit integer into a number when a number can hold it exactly.",
    ([value = null]) => {
      if (!isInt64(value)) return panic(`expected int/u64 or int/s64, got ${show(value)}`);
      const limit = BigInt(LARGEST_DOUBLE);
      if (value.data > limit || value.data < -limit)
        panic(
          `cannot convert ${show(value)} to a number, must be in the range [-${LARGEST_DOUBLE}, ${LARGEST_DOUBLE}]`,
        );
      return Number(value.data);
    },
  );
  core.cfun(
    "int/to-bytes",
    1,
    3,
    "(int/to-bytes value &opt endianness buffer)",
    "Writes the eight bytes of a boxed integer to a buffer, by default a new one.",
    toBytes,
  );
}

function toBytes(args: Value[]): Value {
  const [value = null, order = null, target = null] = args;
  if (!isInt64(value)) return panic(`int/to-bytes: expected an int/s64 or int/u64, got ${show(value)}`);
  const bigEndian = order !== null && keywordAt(args, 1) === kw("be");
  if (order !== null && !bigEndian && order !== kw("le") && order !== kw("native"))
    panic(`int/to-bytes: expected endianness :le, :be or nil, got ${show(order)}`);
  if (target !== null && !(target instanceof JBuffer))
    panic(`int/to-bytes: expected buffer or nil, got ${show(target)}`);
  const buffer = target ?? new JBuffer(8);
  const bytes = integerBytes(value.data);
  buffer.pushBytes(bigEndian ? bytes.reverse() : bytes);
  return buffer;
}

function asU64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}
