import type { Fiber } from "../vm/fiber.ts";
import type { Abstract } from "./abstract.ts";
import type { Closure, Native } from "./functions.ts";
import type { Kw, Sym } from "./names.ts";
import type { JArray, JBuffer, Tuple } from "./sequences.ts";
import type { Struct, Table } from "./tables.ts";

/**
 * Every Janet value. nil is `null`, never `undefined`. A JS string is a Janet string with one char (0–255) per byte; text becomes
 * UTF-8 only at the edge (see bytes.ts). Numbers are doubles; 64-bit integers are abstract values.
 */
export type Value =
  | null
  | boolean
  | number
  | string
  | Sym
  | Kw
  | JArray
  | Tuple
  | Table
  | Struct
  | JBuffer
  | Closure
  | Native
  | Fiber
  | Abstract;

/** What Janet counts as true: all but nil and false. */
export function truthy(value: Value): boolean {
  return value !== null && value !== false;
}
