import { isObject } from "../../../../contract/is-object.ts";

type JsonSchema = Record<string, unknown>;

/**
 * Makes the schema of the whole settings from one that describes only the content of `section`. Its definitions are
 * moved to the top, so that references to them stay valid; other references (`#/properties/…`) get the longer path.
 */
export function wholeSchema(flat: JsonSchema, section: string): JsonSchema {
  // A schema with an `$id` resolves its references from itself, so nothing has to be moved.
  const isAddressed = typeof flat.$id === "string";
  const { $schema, $defs, definitions, ...own } = flat;
  const inner = isAddressed ? { ...own, ...($defs !== undefined && { $defs }) } : rebased(own, section);
  return {
    ...($schema !== undefined && { $schema }),
    ...(!isAddressed && isObject($defs) && { $defs: eachRebased($defs, section) }),
    ...(isObject(definitions) && { definitions: eachRebased(definitions, section) }),
    type: "object",
    properties: { [section]: inner },
    required: [section],
  };
}

/** Keywords whose value maps names to schemas, and keywords whose value contains no schema. */
const byName = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const plain = new Set(["default", "const", "enum", "examples"]);

function rebased(schema: unknown, section: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => rebased(item, section));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "$ref" && typeof value === "string") return [keyword, rebasedReference(value, section)];
      if (plain.has(keyword)) return [keyword, value];
      return [keyword, byName.has(keyword) ? eachRebased(value, section) : rebased(value, section)];
    }),
  );
}

function eachRebased(schemas: unknown, section: string): unknown {
  if (!isObject(schemas)) return schemas;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, rebased(schema, section)]),
  );
}

function rebasedReference(reference: string, section: string): string {
  if (reference === "#" || reference === "#/") return `#/properties/${section}`;
  const isToDefinition = reference.startsWith("#/$defs/") || reference.startsWith("#/definitions/");
  return reference.startsWith("#/") && !isToDefinition
    ? `#/properties/${section}${reference.slice(1)}`
    : reference;
}
