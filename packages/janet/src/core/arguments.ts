import { show } from "../print/describe.ts";
import { Abstract, type AbstractType } from "../values/abstract.ts";
import { Kw, Sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import { isInt32 } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { Fiber } from "../vm/fiber.ts";
import { panic } from "../vm/janet-error.ts";

/**
 * Arguments of C functions, with the errors that Janet's C functions raise: `bad slot #1, expected string, symbol, keyword or buffer,
 * got nil`. `at` counts from 0.
 */
export function badSlot(args: readonly Value[], at: number, expected: string): never {
  panic(`bad slot #${at}, expected ${expected}, got ${show(args[at] ?? null)}`);
}

/** String, symbol, keyword or buffer, as its bytes. */
export function bytesAt(args: readonly Value[], at: number): string {
  const value = args[at] ?? null;
  if (typeof value === "string") return value;
  if (value instanceof Sym || value instanceof Kw) return value.name;
  if (value instanceof JBuffer) return value.text();
  return badSlot(args, at, "string, symbol, keyword or buffer");
}

export function stringAt(args: readonly Value[], at: number): string {
  const value = args[at] ?? null;
  return typeof value === "string" ? value : badSlot(args, at, "string");
}

/** A string that C can take: without zero bytes. Formats are such. */
export function cstringAt(args: readonly Value[], at: number): string {
  const text = stringAt(args, at);
  return text.includes("\0") ? panic("string contains embedded 0s") : text;
}

export function numberAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  return typeof value === "number" ? value : badSlot(args, at, "number");
}

/** A whole number of 32 bits. */
export function integerAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  return isInt32(value) ? value : badSlot(args, at, "32 bit signed integer");
}

export function naturalAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  return isInt32(value) && value >= 0 ? value : badSlot(args, at, "non-negative 32 bit signed integer");
}

export function arrayAt(args: readonly Value[], at: number): JArray {
  const value = args[at] ?? null;
  return value instanceof JArray ? value : badSlot(args, at, "array");
}

export function tupleAt(args: readonly Value[], at: number): Tuple {
  const value = args[at] ?? null;
  return value instanceof Tuple ? value : badSlot(args, at, "tuple");
}

/** Array or tuple, as its items; they are not copied. */
export function indexedAt(args: readonly Value[], at: number): readonly Value[] {
  const value = args[at] ?? null;
  return value instanceof JArray || value instanceof Tuple
    ? value.items
    : badSlot(args, at, "array or tuple");
}

export function bufferAt(args: readonly Value[], at: number): JBuffer {
  const value = args[at] ?? null;
  return value instanceof JBuffer ? value : badSlot(args, at, "buffer");
}

export function tableAt(args: readonly Value[], at: number): Table {
  const value = args[at] ?? null;
  return value instanceof Table ? value : badSlot(args, at, "table");
}

export function structAt(args: readonly Value[], at: number): Struct {
  const value = args[at] ?? null;
  return value instanceof Struct ? value : badSlot(args, at, "struct");
}

export function dictionaryAt(args: readonly Value[], at: number): Table | Struct {
  const value = args[at] ?? null;
  return value instanceof Table || value instanceof Struct ? value : badSlot(args, at, "table or struct");
}

export function keywordAt(args: readonly Value[], at: number): Kw {
  const value = args[at] ?? null;
  return value instanceof Kw ? value : badSlot(args, at, "keyword");
}

export function fiberAt(args: readonly Value[], at: number): Fiber {
  const value = args[at] ?? null;
  return value instanceof Fiber ? value : badSlot(args, at, "fiber");
}

/** The data of an abstract value of this type. */
export function abstractAt<Data>(args: readonly Value[], at: number, type: AbstractType<Data>): Data {
  const value = args[at] ?? null;
  return value instanceof Abstract && value.type === type
    ? (value.data as Data)
    : badSlot(args, at, type.name);
}

/** An argument that may be left out or nil: `optional(args, 2, integerAt, 0)`. */
export function optional<T, Else>(
  args: readonly Value[],
  at: number,
  read: (args: readonly Value[], at: number) => T,
  otherwise: Else,
): T | Else {
  return (args[at] ?? null) === null ? otherwise : read(args, at);
}

/**
 * A position from 0 to `length`, where -1 is just past the end: `start index 6 out of range [-6,5]`. `which` names it in the error.
 */
export function positionAt(args: readonly Value[], at: number, length: number, which: string): number {
  const index = integerAt(args, at);
  const position = index < 0 ? index + length + 1 : index;
  if (position < 0 || position > length)
    panic(`${which} index ${index} out of range [${-length - 1},${length}]`);
  return position;
}

/** The part of a string, symbol, keyword or buffer at 0 that the arguments after it choose; a buffer is not copied as a whole. */
export function bytesPart(args: readonly Value[]): string {
  const value = args[0] ?? null;
  if (value instanceof JBuffer) {
    const { start, end } = rangeAt(args, 1, value.length);
    return value.text(start, end);
  }
  const bytes = bytesAt(args, 0);
  const { start, end } = rangeAt(args, 1, bytes.length);
  return bytes.slice(start, end);
}

/** The part that the arguments at `from` (start) and after it (end) choose, as the slice functions do. `end` is not below `start`. */
export function rangeAt(
  args: readonly Value[],
  from: number,
  length: number,
): { start: number; end: number } {
  const start = optional(args, from, (all, at) => positionAt(all, at, length, "start"), 0);
  const end = optional(args, from + 1, (all, at) => positionAt(all, at, length, "end"), length);
  return { start, end: Math.max(start, end) };
}
