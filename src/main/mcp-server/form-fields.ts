import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { FormField, FormValues } from "../../contract/index.ts";

type Schema = ElicitRequestFormParams["requestedSchema"];
type Property = Schema["properties"][string];

/** The fields of a plugin's form as the protocol has them. */
export function schemaOf(fields: readonly FormField[]): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The values that a client gave; what is no value of a form is left out, and the core judges the rest. */
export function valuesOf(content: Record<string, unknown> | undefined): FormValues {
  const values: FormValues = {};
  for (const [name, value] of Object.entries(content ?? {})) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      values[name] = value;
    else if (Array.isArray(value) && value.every((one) => typeof one === "string")) values[name] = value;
  }
  return values;
}

function propertyOf(field: FormField): Property {
  const { title, description } = field;
  const heading = { title, ...(description !== undefined && { description }) };
  switch (field.type) {
    case "text": {
      const { format, minLength, maxLength } = field;
      return {
        type: "string",
        ...heading,
        ...(format !== undefined && { format }),
        ...(minLength !== undefined && { minLength }),
        ...(maxLength !== undefined && { maxLength }),
        ...(field.default !== undefined && { default: field.default }),
      };
    }
    case "number":
      return {
        type: field.whole ? "integer" : "number",
        ...heading,
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
        ...(field.default !== undefined && { default: field.default }),
      };
    case "boolean":
      return { type: "boolean", ...heading, ...(field.default !== undefined && { default: field.default }) };
    case "choice":
      return {
        type: "string",
        ...heading,
        oneOf: titled(field.options),
        ...(field.default !== undefined && { default: field.default }),
      };
    case "choices":
      return {
        type: "array",
        ...heading,
        items: { anyOf: titled(field.options) },
        ...(field.minItems !== undefined && { minItems: field.minItems }),
        ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
        ...(field.default !== undefined && { default: field.default }),
      };
  }
}

function titled(options: readonly { value: string; label: string }[]): { const: string; title: string }[] {
  return options.map(({ value, label }) => ({ const: value, title: label }));
}
