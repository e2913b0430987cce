import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "../../../../../contract/is-object.ts";

/**
 * The function `toJSONSchema` of the plugin's own copy of zod. In early versions of zod 4 schemas have no method for
 * it.
 */
export type ZodConverter = (schema: unknown) => unknown;

/**
 * The schema as JSON Schema: through Standard JSON Schema, zod's method or zod's function. Anything else is returned as
 * it is.
 */
export function toJsonSchema(schema: unknown, zod: ZodConverter | undefined): unknown {
  if (!isObject(schema)) return schema;
  const standard = schema["~standard"];
  if (!isObject(standard)) return schema;
  if (isObject(standard.jsonSchema) && typeof standard.jsonSchema.input === "function") {
    return standard.jsonSchema.input({ target: "draft-2020-12" });
  }
  if (typeof schema.toJSONSchema === "function") return schema.toJSONSchema(ZOD_OPTIONS);
  return standard.vendor === "zod" && zod ? zod(schema) : schema;
}

/** Imports the plugin's own zod; undefined when it has none with `toJSONSchema`. */
export async function findZod(dir: string): Promise<ZodConverter | undefined> {
  try {
    const path = createRequire(join(dir, "package.json")).resolve("zod");
    const zod: Record<string, unknown> = await import(/* @vite-ignore */ pathToFileURL(path).href);
    const convert = zod.toJSONSchema ?? (isObject(zod.default) ? zod.default.toJSONSchema : undefined);
    return typeof convert === "function" ? (schema) => convert(schema, ZOD_OPTIONS) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a schema can only be converted by {@link findZod}. */
export function needsZod(schema: unknown): boolean {
  if (!isObject(schema) || !isObject(schema["~standard"])) return false;
  const standard = schema["~standard"];
  return standard.vendor === "zod" && standard.jsonSchema === undefined && schema.toJSONSchema === undefined;
}

const ZOD_OPTIONS = { io: "input", unrepresentable: "any" };
