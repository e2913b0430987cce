import { Fiber } from "../vm/fiber.ts";
import { Abstract } from "./abstract.ts";
import { Closure } from "./functions.ts";
import { Kw, Sym } from "./names.ts";
import { JArray, JBuffer, Tuple } from "./sequences.ts";
import { Struct, Table } from "./tables.ts";
import type { Value } from "./value.ts";

/** Janet's types in the order in which values of different types are sorted. */
export const typeOrder = [
  "number",
  "nil",
  "boolean",
  "fiber",
  "string",
  "symbol",
  "keyword",
  "array",
  "tuple",
  "table",
  "struct",
  "buffer",
  "function",
  "cfunction",
  "abstract",
] as const;

/** The place of a value's type in {@link typeOrder}. */
export function typeRank(value: Value): number {
  switch (typeof value) {
    case "number":
      return 0;
    case "boolean":
      return 2;
    case "string":
      return 4;
  }
  if (value === null) return 1;
  if (value instanceof Sym) return 5;
  if (value instanceof Kw) return 6;
  if (value instanceof JArray) return 7;
  if (value instanceof Tuple) return 8;
  if (value instanceof Table) return 9;
  if (value instanceof Struct) return 10;
  if (value instanceof JBuffer) return 11;
  if (value instanceof Fiber) return 3;
  if (value instanceof Abstract) return 14;
  return value instanceof Closure || value.kind === "function" ? 12 : 13;
}

/** The name that Janet's `type` gives, without the colon: for an abstract value that of its own type. */
export function typeName(value: Value): string {
  return value instanceof Abstract ? value.type.name : (typeOrder[typeRank(value)] as string);
}

/** A whole number of 32 bits. */
export function isInt32(value: Value): value is number {
  return typeof value === "number" && value === (value | 0);
}

/** The bytes of a string, symbol, keyword or buffer; undefined for any other value. */
export function bytesOf(value: Value): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof Sym || value instanceof Kw) return value.name;
  return value instanceof JBuffer ? value.text() : undefined;
}
