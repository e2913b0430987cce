import type { ErrorObject } from "ajv";

/**
 * What a JSON Schema finds wrong with a value, in a person's words, to be put after the name of the field: `must be a
 * whole number`. The sentences of the library, such as "must match a schema in anyOf", are never shown.
 */
export function schemaWords({ keyword, params, schema }: ErrorObject): string {
  // A keyword of our own has no parameters; what the schema says is beside it.
  const limit: unknown = params.limit ?? schema;
  switch (keyword) {
    case "required":
      return "is missing";
    case "additionalProperties":
    case "unevaluatedProperties":
      return "is not known";
    case "dependentRequired":
    case "dependencies":
      return `needs ${String(params.missingProperty)} beside it`;
    case "type":
      return `must be ${typeInWords(params.type)}`;
    case "enum":
      return `must be one of ${listed(params.allowedValues)}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "minLength":
      return `must have at least ${counted(limit, "character")}`;
    case "maxLength":
      return `must have at most ${counted(limit, "character")}`;
    case "format":
      return `must be ${formatInWords(String(params.format))}`;
    case "pattern":
      return `does not have the expected form (${String(params.pattern ?? schema)})`;
    case "minimum":
      return `must be at least ${String(limit)}`;
    case "maximum":
      return `must be at most ${String(limit)}`;
    case "exclusiveMinimum":
      return `must be more than ${String(limit)}`;
    case "exclusiveMaximum":
      return `must be less than ${String(limit)}`;
    case "multipleOf":
      return `must be a multiple of ${params.multipleOf}`;
    case "minItems":
      return `must have at least ${counted(limit, "entry", "entries")}`;
    case "maxItems":
      return `must have at most ${counted(limit, "entry", "entries")}`;
    case "uniqueItems":
      return "must not have the same entry twice";
    case "contains":
      return "lacks an entry that it must have";
    case "minProperties":
      return `must have at least ${counted(limit, "field")}`;
    case "maxProperties":
      return `must have at most ${counted(limit, "field")}`;
    case "propertyNames":
      return `has a field whose name is not allowed: ${String(params.propertyName)}`;
    case "anyOf":
    case "oneOf":
    case "if":
      return "has none of the forms that are accepted";
    default:
      return "is not accepted";
  }
}

function counted(count: unknown, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

const TYPES: Record<string, string> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "empty",
};

function typeInWords(type: unknown): string {
  const names: unknown[] = Array.isArray(type) ? type : String(type).split(",");
  return names.map((name) => TYPES[String(name)] ?? String(name)).join(" or ");
}

const FORMATS: Record<string, string> = {
  uri: "an address such as https://example.com",
  url: "an address such as https://example.com",
  email: "an e-mail address",
  date: "a date such as 2026-01-31",
  "date-time": "a date and time such as 2026-01-31T12:00:00Z",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  hostname: "a host name",
  uuid: "a UUID",
};

function formatInWords(format: string): string {
  return FORMATS[format] ?? `of the form "${format}"`;
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : String(values);
}
