import { createSchemaUtils, type RJSFSchema, type UiSchema } from "@rjsf/utils";
import { isObject } from "../../../../contract/is-object.ts";
import type { PluginView, SecretKey } from "../../../../contract/plugin.ts";
import { hintsOf } from "./hints.ts";
import { withNamedChoices } from "./named-choices.ts";
import { validator } from "./validator.ts";

export type Config = Record<string, unknown>;
const sections = ["tools", "channel", "hooks"] as const;

/** How the settings of a plugin become a form. */
export interface FormModel {
  /** Null when the plugin says nothing of its settings; they are then edited as JSON. */
  schema: RJSFSchema | null;
  uiSchema: UiSchema;
  /** Where the form's value stands in the settings. */
  prefix: string[];
  secrets: SecretKey[];
}

export function formModel(plugin: PluginView): FormModel {
  const { configSchema, flatConfig, secretKeys } = plugin.declaration;
  const prefix = prefixOf(plugin, configSchema, flatConfig);
  if (!configSchema) return { schema: null, uiSchema: {}, prefix: [], secrets: secretKeys };
  const inner = flatConfig ? configSchema : innerSchema(configSchema, prefix);
  const schema = withNamedChoices(withoutSecrets(inner, secretKeys, prefix[0])) as Config;
  return { schema: schema as RJSFSchema, uiSchema: uiSchemaOf(schema), prefix, secrets: secretKeys };
}

/** With one capability its section is not worth a heading of its own. */
function prefixOf(plugin: PluginView, schema: Config | null, flat: boolean): string[] {
  const present = sections.filter((section) => plugin.capabilities[section] !== undefined);
  if (flat) return present.slice(0, 1);
  const names = Object.keys(propertiesOf(schema ?? {}));
  const only = names.length === 1 ? sections.find((section) => section === names[0]) : undefined;
  return only ? [only] : [];
}

function innerSchema(schema: Config, prefix: string[]): Config {
  const [section] = prefix;
  if (section === undefined) return schema;
  const inner = propertiesOf(schema)[section];
  if (!isObject(inner)) return schema;
  const { $defs, definitions, $schema } = schema;
  return {
    ...($schema ? { $schema } : {}),
    ...($defs ? { $defs } : {}),
    ...(definitions ? { definitions } : {}),
    ...inner,
  };
}

/** Secrets have a place of their own above the form. */
function withoutSecrets(schema: Config, secrets: SecretKey[], section: string | undefined): Config {
  const properties = propertiesOf(schema);
  const dropped = new Set(
    secrets.filter((secret) => !secret.section || secret.section === section).map((secret) => secret.key),
  );
  const kept: Config = {};
  for (const [name, value] of Object.entries(properties)) {
    if (dropped.has(name)) continue;
    const inSection = section === undefined && sections.some((known) => known === name);
    kept[name] = inSection && isObject(value) ? withoutSecrets(value, secrets, name) : value;
  }
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name !== "string" || !dropped.has(name))
    : undefined;
  return { ...schema, ...(schema.properties ? { properties: kept } : {}), ...(required && { required }) };
}

/** Masks what the schema calls secret and does not keep in the vault. */
function uiSchemaOf(schema: Config): UiSchema {
  const ui: UiSchema = {};
  for (const [name, value] of Object.entries(propertiesOf(schema))) {
    if (!isObject(value)) continue;
    const masked = hintsOf(value).secret === true || value.format === "password";
    ui[name] = { ...uiSchemaOf(value), ...(masked && { "ui:widget": "password" }) };
  }
  return ui;
}

/** The form's value out of the settings. */
export function valueIn(config: Config, prefix: string[]): Config {
  let value: unknown = config;
  for (const part of prefix) value = isObject(value) ? value[part] : undefined;
  return isObject(value) ? value : {};
}

/** The settings with the form's value put back; whatever the form does not show stays. */
export function withValueIn(config: Config, prefix: string[], value: Config): Config {
  const [head, ...rest] = prefix;
  if (head === undefined) return value;
  const inner = isObject(config[head]) ? config[head] : {};
  return { ...config, [head]: rest.length > 0 ? withValueIn(inner, rest, value) : value };
}

/** How missing values are filled in, in the form and wherever its value is shown. */
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
