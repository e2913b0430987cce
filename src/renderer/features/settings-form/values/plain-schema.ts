import { isObject } from "../../../../contract/is-object.ts";
import { i18n } from "../../../base/i18n/index.ts";

type Schema = Record<string, unknown>;

/** Marks a choice that may be left out: nothing is its first possibility. */
const OPTIONAL = "x-optional-choice";
const values = new Set(["default", "const", "enum", "examples"]);

/**
 * The schema in forms that the form can draw, fitted by the same values: kinds that are only implied are said, "this or
 * null" is the thing itself that may be empty, and a choice that is not required may be left out.
 */
export function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, values.has(key) ? value : plainSchema(value)]),
  );
  return withLeftOut(withoutPrefill(withType(withoutNull(inner))));
}

/** The value without choices that were left out. */
export function withoutLeftOut(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (isLeftOut(schema)) return withConstants(schema, value);
  if (Array.isArray(value)) return value.map((item) => withoutLeftOut(schema.items, item));
  if (!isObject(value) || !isObject(schema.properties)) return value;
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !(inner === null && isLeftOut(properties[name])))
      .map(([name, inner]) => [name, withoutLeftOut(properties[name], inner)]),
  );
}

/** The constants of the possibility whose fields a value has: nobody can fill them in, since they are not shown. */
function withConstants(schema: Schema, value: unknown): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const [, choices = []] = choicesOf(schema) ?? [];
  const chosen = choices.find(
    (choice) =>
      isObject(choice) &&
      isObject(choice.properties) &&
      names.every((name) => Object.hasOwn(choice.properties as Schema, name)),
  );
  if (names.length === 0 || !isObject(chosen)) return value;
  const constants = withItsConstants(chosen) as Schema;
  return isObject(constants.default) ? { ...constants.default, ...value } : value;
}

function isLeftOut(schema: unknown): boolean {
  return isObject(schema) && schema[OPTIONAL] === true;
}

function choicesOf(schema: Schema): ["oneOf" | "anyOf", unknown[]] | null {
  if (Array.isArray(schema.oneOf)) return ["oneOf", schema.oneOf];
  return Array.isArray(schema.anyOf) ? ["anyOf", schema.anyOf] : null;
}

const isNull = (schema: unknown) => isObject(schema) && (schema.type === "null" || schema.const === null);

function withoutNull(schema: Schema): Schema {
  const [keyword, choices] = choicesOf(schema) ?? [];
  if (!keyword || !choices) return schema;
  const others = choices.filter((choice) => !isNull(choice));
  const [only] = others;
  if (others.length !== 1 || others.length === choices.length || !isObject(only)) return schema;
  if (typeof only.type !== "string") return schema;
  const { [keyword]: _, ...rest } = schema;
  const list = Array.isArray(only.enum) && { enum: [...only.enum, null] };
  return { ...only, ...rest, ...list, type: [only.type, "null"] };
}

/** The kind of the values that can be chosen, where the schema only lists them. */
function withType(schema: Schema): Schema {
  if (schema.type !== undefined || schema.$ref !== undefined) return schema;
  const [, choices] = choicesOf(schema) ?? [];
  const constants = choices?.every((choice) => isObject(choice) && "const" in choice)
    ? choices.map((choice) => (choice as Schema).const)
    : Array.isArray(schema.enum)
      ? schema.enum
      : null;
  if (!constants || constants.length === 0) return schema;
  const kinds = [...new Set(constants.map(kindOf))];
  return kinds.includes("object") ? schema : { ...schema, type: kinds.length === 1 ? kinds[0] : kinds };
}

/** A constant among values to choose from is no default: the form would choose the first one by itself. */
function withoutPrefill(schema: Schema): Schema {
  const [keyword, choices] = choicesOf(schema) ?? [];
  if (!keyword || !choices?.every((choice) => isObject(choice) && "const" in choice)) return schema;
  const listed = choices.map((choice) => {
    const { const: value, ...rest } = choice as Schema;
    return { ...rest, enum: [value] };
  });
  return { ...schema, [keyword]: listed };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" || typeof value === "string" ? typeof value : "object";
}

/** Gives each choice among groups that is not required "nothing" as its first possibility. */
function withLeftOut(schema: Schema): Schema {
  if (!isObject(schema.properties)) return schema;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    if (!isObject(property)) return [name, property];
    if (required.has(name)) return [name, mayBeNull(property) ? { default: null, ...property } : property];
    return [name, optionalChoice(property)];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function mayBeNull({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes("null");
}

function optionalChoice(property: Schema): Schema {
  const [keyword, choices] = choicesOf(property) ?? [];
  if (!keyword || !choices || property.default !== undefined || isLeftOut(property)) return property;
  const simple = choices.every((choice) => isObject(choice) && Array.isArray(choice.enum));
  if (simple || choices.some(isNull) || isObject(property.properties)) return property;
  const { type: _, ...rest } = property;
  const nothing = { title: i18n.t("choice.notSet"), type: "null" };
  return { ...rest, [OPTIONAL]: true, [keyword]: [nothing, ...choices.map(withItsConstants)] };
}

/** A possibility begins with its constants when it is chosen: by them it is known again. */
function withItsConstants(choice: unknown): unknown {
  if (!isObject(choice) || choice.default !== undefined || !isObject(choice.properties)) return choice;
  const constants = Object.entries(choice.properties).flatMap(([name, property]) =>
    isObject(property) && "const" in property ? [[name, property.const]] : [],
  );
  return constants.length > 0 ? { ...choice, default: Object.fromEntries(constants) } : choice;
}
