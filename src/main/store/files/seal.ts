import { crc32 } from "node:zlib";
import type { z } from "zod";

/**
 * Marks the text of a large file as checked against a schema, so that the next start reads it without checking it
 * again: `…,"checked":"<print of the schema>-<sum of all before>"}`. A text that was changed since, or was checked
 * against another schema, has no valid seal and is checked again.
 *
 * @param text a JSON object in one line
 * @param schema the schema that it was checked against
 */
export function sealed(text: string, schema: z.ZodType): string {
  const body = `${text.slice(0, -1)},"checked":"${printOf(schema)}-`;
  return `${body}${sumOf(body)}"}\n`;
}

/** Whether a text is unchanged since it was checked against this schema. */
export function isSealed(text: string, schema: z.ZodType): boolean {
  const end = SEAL.exec(text.slice(-SEAL_LENGTH));
  return end !== null && end[1] === printOf(schema) && end[2] === sumOf(text.slice(0, -SUM_END));
}

const SEAL = /^,"checked":"([0-9a-f]{8})-([0-9a-f]{8})"\}\n$/;
const SEAL_LENGTH = ',"checked":"01234567-01234567"}\n'.length;
const SUM_END = '01234567"}\n'.length;

const prints = new WeakMap<z.ZodType, string>();

/**
 * A hash over everything that a schema consists of, including the source text of its functions, so that a changed
 * schema has another one.
 */
function printOf(schema: z.ZodType): string {
  const known = prints.get(schema);
  if (known !== undefined) return known;
  const print = sumOf(JSON.stringify(schema._zod.def, describe));
  prints.set(schema, print);
  return print;
}

function describe(_name: string, value: unknown): unknown {
  if (typeof value === "function" || value instanceof RegExp) return String(value);
  if (value instanceof Set || value instanceof Map) return [...value];
  return typeof value === "object" && value !== null && "_zod" in value
    ? (value as z.ZodType)._zod.def
    : value;
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
