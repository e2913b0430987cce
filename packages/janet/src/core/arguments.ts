import { show } from "../print/describe.ts";
import { Kw, Sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
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

export function numberAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  return typeof value === "number" ? value : badSlot(args, at, "number");
}

/** A whole number of 32 bits. */
export function integerAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  return typeof value === "number" && Number.isInteger(value) && value === (value | 0)
    ? value
    : badSlot(args, at, "32 bit signed integer");
}

export function naturalAt(args: readonly Value[], at: number): number {
  const value = args[at] ?? null;
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value === (value | 0)
    ? value
    : badSlot(args, at, "non-negative 32 bit signed integer");
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
