import { isObject } from "../../../../contract/is-object.ts";

type JsonSchema = Record<string, unknown>;

/** The names that a JSON Schema knows at its top level, through its branches and local references too. */
export function propertyNames(schema: JsonSchema): Set<string> {
  const names = new Set<string>();
  collect(schema, schema, names, new Set());
  return names;
}

function collect(part: JsonSchema, root: JsonSchema, names: Set<string>, seen: Set<JsonSchema>): void {
  if (seen.has(part)) return;
  seen.add(part);
  if (isObject(part.properties)) for (const name of Object.keys(part.properties)) names.add(name);
  for (const branch of [part.anyOf, part.oneOf, part.allOf].flat()) {
    if (isObject(branch)) collect(branch, root, names, seen);
  }
  const target = typeof part.$ref === "string" ? followLocal(part.$ref, root) : undefined;
  if (isObject(target)) collect(target, root, names, seen);
}

function followLocal(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return undefined;
  let target: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}
