import { crc32 } from "node:zlib";
import type { z } from "zod";

/**
 * Marks the text of a large file as checked against a schema, so that the next start reads it without checking it again:
 * `…,"checked":"<print of the schema>-<sum of all before>"}`. A text that anybody has changed since, or that was checked
 * against another schema, has no valid seal and is checked as any other.
 *
 * @param text a JSON object in one line
 * @param schema what it was checked against
 */
export function sealed(text: string, schema: z.ZodType): string {
  const body = `${text.slice(0, -1)},"checked":"${printOf(schema)}-`;
  return `${body}${sumOf(body)}"}\n`;
}

/** Whether a text is as it was when it was checked against this schema. */
export function isSealed(text: string, schema: z.ZodType): boolean {
  const end = SEAL.exec(text.slice(-SEAL_LENGTH));
  return end !== null && end[1] === printOf(schema) && end[2] === sumOf(text.slice(0, -SUM_END));
}

const SEAL = /^,"checked":"([0-9a-f]{8})-([0-9a-f]{8})"\}\n$/;
const SEAL_LENGTH = ',"checked":"01234567-01234567"}\n'.length;
const SUM_END = '01234567"}\n'.length;

const prints = new WeakMap<z.ZodType, string>();

/** Tells schemas apart by everything that they are made of, the text of their functions included. */
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
