import { createSchemaUtils, type RJSFSchema, type UiSchema } from "@rjsf/utils";
import { isObject } from "../../../../contract/is-object.ts";
import type { PluginView, SecretKey } from "../../../../contract/plugin.ts";
import { hintsOf } from "./hints.ts";
import { withNamedChoices } from "./named-choices.ts";
import { plainSchema } from "./plain-schema.ts";
import { validator } from "./validator.ts";

export type Config = Record<string, unknown>;

/** How the settings of a plugin become a form. */
export interface FormModel {
  /** Null when the plugin has no schema for its settings; they are then edited as JSON. */
  schema: RJSFSchema | null;
  uiSchema: UiSchema;
  /** The path of the form's value in the settings. */
  prefix: string[];
  secrets: SecretKey[];
  /** Values may be secret that are not declared as such: the form masks some, or there is no schema that says. */
  mayHoldMore: boolean;
}

export function formModel(plugin: PluginView): FormModel {
  const { configSchema, settingsRoot, secretKeys } = plugin.declaration;
  if (!configSchema)
    return { schema: null, uiSchema: {}, prefix: [], secrets: secretKeys, mayHoldMore: true };
  const prefix = prefixOf(configSchema, settingsRoot);
  const paths = secretKeys.map(({ path }) => path).filter((path) => startsWith(path, prefix));
  const inner = innerSchema(configSchema, prefix);
  const shown = paths.reduce((rest, path) => withoutPlace(rest, path.slice(prefix.length)), inner);
  const schema = plainSchema(withNamedChoices(shown)) as Config;
  return {
    schema: schema as RJSFSchema,
    uiSchema: uiSchemaOf(schema),
    prefix,
    secrets: secretKeys,
    mayHoldMore: masks(inner),
  };
}

/** A form for values of any schema, such as the arguments of a tool. */
export function schemaModel(given: Config): FormModel {
  const schema = plainSchema(withNamedChoices(given)) as Config;
  return {
    schema: schema as RJSFSchema,
    uiSchema: uiSchemaOf(schema),
    prefix: [],
    secrets: [],
    mayHoldMore: false,
  };
}

/** Whether a field anywhere in a schema is masked. */
function masks(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(masks);
  if (!isObject(schema)) return false;
  if (schema.format === "password" || hintsOf(schema).secret === true) return true;
  return Object.values(schema).some(masks);
}

/**
 * The path of the part that the form shows: the settings' root, or the only group there is. Neither needs a heading of
 * its own.
 */
function prefixOf(schema: Config, root: string[] = []): string[] {
  if (root.length > 0 && isObject(schemaAt(schema, root))) return root;
  const [only, second] = Object.entries(propertiesOf(schema));
  return only && !second && isGroup(only[1]) ? [only[0]] : [];
}

function isGroup(schema: unknown): boolean {
  return isObject(schema) && Object.keys(propertiesOf(schema)).length > 0;
}

function schemaAt(schema: Config, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (isObject(part) ? propertiesOf(part)[name] : undefined),
    schema,
  );
}

/**
 * The schema of one part, with the definitions of the whole schema. References to the part itself are rewritten,
 * because it is the root now.
 */
function innerSchema(schema: Config, prefix: readonly string[]): Config {
  const inner = schemaAt(schema, prefix);
  if (prefix.length === 0 || !isObject(inner)) return schema;
  const { $defs, definitions, $schema } = schema;
  const start = `#${prefix.map((name) => `/properties/${name}`).join("")}`;
  const whole = {
    ...($schema ? { $schema } : {}),
    ...($defs ? { $defs } : {}),
    ...(definitions ? { definitions } : {}),
    ...inner,
  };
  return rebased(whole, start) as Config;
}

function rebased(value: unknown, start: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebased(item, start));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isInside = key === "$ref" && typeof item === "string" && `${item}/`.startsWith(`${start}/`);
      return [key, isInside ? `#${item.slice(start.length)}` : rebased(item, start)];
    }),
  );
}

/** The schema without the property at this path. Secrets have fields of their own above the form. */
function withoutPlace(schema: Config, [head, ...rest]: readonly string[]): Config {
  const properties = propertiesOf(schema);
  if (head === undefined || !Object.hasOwn(properties, head)) return schema;
  const { [head]: inner, ...others } = properties;
  if (rest.length > 0) {
    return isObject(inner)
      ? { ...schema, properties: { ...properties, [head]: withoutPlace(inner, rest) } }
      : schema;
  }
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => name !== head) : null;
  return { ...schema, properties: others, ...(required && { required }) };
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((part, index) => path[index] === part);
}

/** Masks fields that the schema marks as secret but that are not kept in the vault. */
function uiSchemaOf(schema: Config): UiSchema {
  const ui: UiSchema = {};
  for (const [name, value] of Object.entries(propertiesOf(schema))) {
    if (!isObject(value)) continue;
    const masked = hintsOf(value).secret === true || value.format === "password";
    ui[name] = { ...uiSchemaOf(value), ...(masked && { "ui:widget": "password" }) };
  }
  return ui;
}

/** The form's value, taken from the settings. */
export function valueIn(config: Config, prefix: string[]): Config {
  let value: unknown = config;
  for (const part of prefix) value = isObject(value) ? value[part] : undefined;
  return isObject(value) ? value : {};
}

/** The settings with the form's value put back. Settings that the form does not show stay. */
export function withValueIn(config: Config, prefix: string[], value: Config): Config {
  const [head, ...rest] = prefix;
  if (head === undefined) return value;
  const inner = isObject(config[head]) ? config[head] : {};
  return { ...config, [head]: rest.length > 0 ? withValueIn(inner, rest, value) : value };
}

/** How missing values are filled in. The form and `withDefaults` must use the same rule. */
export const defaultsBehavior = { emptyObjectFields: "populateAllDefaults" } as const;

/** The settings with the defaults that the form shows for what they do not say. */
export function withDefaults(config: Config, { schema, prefix }: FormModel): Config {
  if (!schema) return config;
  const utils = createSchemaUtils(validator, schema, defaultsBehavior);
  const filled: unknown = utils.getDefaultFormState(schema, valueIn(config, prefix));
  return isObject(filled) ? withValueIn(config, prefix, filled) : config;
}

function propertiesOf(schema: Config): Config {
  return isObject(schema.properties) ? schema.properties : {};
}
