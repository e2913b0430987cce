import { isObject } from "../is-object.ts";
import { cleanText } from "./clean-text.ts";

const DEEPEST = 200;
const known = new WeakMap<object, Record<string, unknown>>();

/**
 * A JSON Schema with its titles and descriptions cleaned; what is compared, such as patterns and values, stays. The same
 * object for the same schema, and the schema itself when it is clean: validators are compiled once for each object.
 */
export function cleanSchema(schema: Record<string, unknown>): Record<string, unknown> {
  let cleaned = known.get(schema);
  if (!cleaned) {
    cleaned = walk(schema, 0) as Record<string, unknown>;
    known.set(schema, cleaned);
  }
  return cleaned;
}

function walk(schema: unknown, depth: number): unknown {
  if (depth > DEEPEST) return schema;
  if (Array.isArray(schema)) {
    const items = schema.map((item) => walk(item, depth + 1));
    return items.every((item, index) => item === schema[index]) ? schema : items;
  }
  if (!isObject(schema)) return schema;
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(schema)) {
    const isText = typeof value === "string" && (key === "title" || key === "description");
    const clean = isText ? cleanText(value) : walk(value, depth + 1);
    if (clean === value) continue;
    copy ??= { ...schema };
    copy[key] = clean;
  }
  return copy ?? schema;
}
