import { isObject } from "../../contract/is-object.ts";

type Schema = Record<string, unknown>;

/** Levels of a schema below which nothing is made any more. */
const DEEPEST = 12;

/**
 * Arguments for a tool, made from its schema: what is required, and what has a default or an example. They are of the right
 * kinds and within the bounds; that they are sensible, nobody can say.
 */
export function argumentsFor(schema: Schema): Record<string, unknown> {
  const made = valueFor(schema, schema, 0);
  return isObject(made) ? made : {};
}

function valueFor(given: unknown, root: Schema, depth: number): unknown {
  const schema = resolved(given, root, depth);
  if (depth > DEEPEST) return null;
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  for (const list of [schema.examples, schema.enum])
    if (Array.isArray(list) && list.length > 0) return list[0];
  const [way] = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? [list[0]] : []));
  const whole = way === undefined ? schema : merged([schema, resolved(way, root, depth)], root, depth);
  if (way !== undefined && ("const" in whole || "default" in whole || Array.isArray(whole.enum)))
    return valueFor({ ...whole, oneOf: undefined, anyOf: undefined }, root, depth + 1);
  switch (kindOf(whole)) {
    case "object":
      return objectFor(whole, root, depth);
    case "array":
      return listFor(whole, root, depth);
    case "string":
      return textFor(whole);
    case "integer":
    case "number":
      return numberFor(whole);
    case "boolean":
      return true;
    default:
      return null;
  }
}

/** A schema with its reference followed and its parts joined. */
function resolved(given: unknown, root: Schema, depth: number): Schema {
  let schema = isObject(given) ? given : {};
  for (let step = 0; typeof schema.$ref === "string" && step < DEEPEST; step += 1)
    schema = { ...lookedUp(schema.$ref, root), ...schema, $ref: undefined };
  return Array.isArray(schema.allOf) && depth <= DEEPEST
    ? merged([{ ...schema, allOf: undefined }, ...schema.allOf], root, depth)
    : schema;
}

function merged(parts: readonly unknown[], root: Schema, depth: number): Schema {
  const whole: Schema = {};
  for (const part of parts) {
    const one = resolved(part, root, depth + 1);
    const properties = { ...partsOf(whole.properties), ...partsOf(one.properties) };
    const required = [...namesOf(whole.required), ...namesOf(one.required)];
    for (const [name, value] of Object.entries(one)) if (value !== undefined) whole[name] = value;
    if (Object.keys(properties).length > 0) whole.properties = properties;
    if (required.length > 0) whole.required = required;
  }
  return { ...whole, oneOf: undefined, anyOf: undefined };
}

function lookedUp(reference: string, root: Schema): Schema {
  if (!reference.startsWith("#")) return {};
  let here: unknown = root;
  for (const step of reference.slice(1).split("/").filter(Boolean)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return isObject(here) ? here : {};
}

function kindOf({ type, properties, items, minimum, maximum }: Schema): unknown {
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? "null";
  if (type !== undefined) return type;
  if (isObject(properties)) return "object";
  if (items !== undefined) return "array";
  return minimum !== undefined || maximum !== undefined ? "number" : "string";
}

function objectFor(schema: Schema, root: Schema, depth: number): Schema {
  const properties = partsOf(schema.properties);
  const required = new Set(namesOf(schema.required));
  const made: Schema = {};
  for (const name of required) made[name] = valueFor(properties[name], root, depth + 1);
  for (const [name, property] of Object.entries(properties)) {
    const one = resolved(property, root, depth + 1);
    const says = "default" in one || (Array.isArray(one.examples) && one.examples.length > 0);
    if (!required.has(name) && says) made[name] = valueFor(one, root, depth + 1);
  }
  return made;
}

function listFor({ items, prefixItems, minItems }: Schema, root: Schema, depth: number): unknown[] {
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  const least = Math.min(Math.max(number(minItems) ?? 1, first.length), 100);
  return Array.from({ length: least }, (_, at) => valueFor(first[at] ?? items, root, depth + 1));
}

const texts: Record<string, string> = {
  email: "somebody@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  "uri-reference": "/",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  date: "2026-11-26",
  time: "12:00:00Z",
  "date-time": "2026-11-26T12:00:00Z",
  duration: "PT1M",
  uuid: "4f3c1f4e-6d0e-4b0e-9d59-0f6f5d0c2c11",
};

function textFor({ format, minLength, maxLength }: Schema): string {
  const known = typeof format === "string" ? texts[format] : undefined;
  const text = known ?? "test".padEnd(Math.min(number(minLength) ?? 0, 10_000), "t");
  return known === undefined ? text.slice(0, number(maxLength) ?? text.length) : known;
}

function numberFor(schema: Schema): number {
  const step = number(schema.multipleOf) ?? (schema.type === "integer" ? 1 : undefined);
  const above = number(schema.exclusiveMinimum);
  const below = number(schema.exclusiveMaximum);
  const least = number(schema.minimum) ?? (above === undefined ? undefined : above + (step ?? 0.5));
  const most = number(schema.maximum) ?? (below === undefined ? undefined : below - (step ?? 0.5));
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Number.POSITIVE_INFINITY);
  if (step === undefined || step <= 0) return wanted;
  const up = Math.ceil(wanted / step) * step;
  return most !== undefined && up > most ? Math.floor(most / step) * step : up;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function partsOf(value: unknown): Schema {
  return isObject(value) ? value : {};
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
