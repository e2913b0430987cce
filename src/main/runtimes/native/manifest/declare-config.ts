import type { Declaration } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { compileSchema } from "../../config-schema.ts";
import type { ManifestProblems } from "../../manifest-problems.ts";
import { type ConfigField, fieldsToSchema } from "./config-fields.ts";
import type { NativeDetails } from "./details.ts";
import { wholeSchema } from "./flat-schema.ts";
import type { DeclaredCapabilities } from "./manifest-capabilities.ts";
import type { SchemaFact } from "./manifest-facts.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import {
  type DeclaredSecret,
  type DeclaredSettings,
  readSettings,
  type Section,
} from "./manifest-settings.ts";
import { propertyNames } from "./schema-properties.ts";
import { wrapInSection } from "./wrap-settings.ts";

type ConfigDeclaration = Pick<
  Declaration,
  "configSchema" | "settingsRoot" | "defaultConfig" | "secretKeys" | "details"
>;
type JsonSchema = Record<string, unknown>;

/**
 * Turns everything a manifest says about its settings into the form that the rest of Patchbay uses: schema, defaults,
 * secrets.
 */
export function declareConfig(
  manifest: ManifestReader,
  { sections, settings, ownFields }: DeclaredCapabilities,
  schemaFact: SchemaFact,
  problems: ManifestProblems,
): ConfigDeclaration {
  // With a single capability, declarations at the top of the manifest belong to that capability.
  const only = sections.length === 1 ? sections[0] : undefined;
  const top = withFields(readSettings(manifest, only, problems), ownFields);
  const secretKeys = uniqueKeys([
    ...top.secretKeys,
    ...settings.flatMap(({ declared }) => declared.secretKeys),
  ]);
  const declared = ownSchema(schemaFact, problems);
  const flatConfig = declared !== null && only !== undefined && isFlat(declared, only);
  const whole = declared && flatConfig ? wholeSchema(declared, only) : declared;
  const configSchema = whole ?? schemaFromFields(top, settings, only);
  const defaultConfig = defaults(top, settings, only, problems);
  const details: NativeDetails = { flatConfig };
  return {
    configSchema,
    ...(only && { settingsRoot: [only] }),
    defaultConfig,
    secretKeys: secretKeys.map(({ section, ...secret }) => ({
      ...secret,
      path: section ? [section, secret.key] : placeOf(secret.key, sections, configSchema, defaultConfig),
    })),
    details,
  };
}

/**
 * The path of a secret that is declared at the top: the part whose defaults contain it, else the part whose schema
 * names it, else the first part.
 */
export function placeOf(
  key: string,
  sections: readonly Section[],
  schema: JsonSchema | null,
  defaults: Record<string, unknown> | null,
): string[] {
  const has = (part: unknown) => isObject(part) && Object.hasOwn(part, key);
  const described = propertiesOf(schema);
  const holder =
    sections.find((section) => has(defaults?.[section])) ??
    sections.find((section) => isObject(described[section]) && has(propertiesOf(described[section]))) ??
    sections[0];
  return holder === undefined ? [key] : [holder, key];
}

function withFields(settings: DeclaredSettings, fields: readonly ConfigField[]): DeclaredSettings {
  if (fields.length === 0) return settings;
  const added = fieldsToSchema([...fields]);
  return { ...settings, fieldSchema: merged(settings.fieldSchema ? [settings.fieldSchema, added] : [added]) };
}

function uniqueKeys(keys: DeclaredSecret[]): DeclaredSecret[] {
  const seen = new Set<string>();
  return keys.filter(({ key, section }) => {
    const place = `${section ?? ""}.${key}`;
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

function ownSchema(fact: SchemaFact, problems: ManifestProblems): JsonSchema | null {
  if (fact.kind === "absent") return null;
  if (fact.kind === "foreign") {
    problems.warn(
      `The \`configSchema\` is written with ${fact.vendor}, which cannot be turned into a form; the settings are edited as text.`,
    );
    return null;
  }
  if (fact.kind === "refused") {
    problems.add(
      "configSchema",
      `\`configSchema\` cannot be used: ${fact.reason}. The plugin's author must give a JSON Schema or a zod schema.`,
    );
    return null;
  }
  try {
    compileSchema(fact.schema);
    return fact.schema;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.add(
      "configSchema",
      `\`configSchema\` is not a valid JSON Schema: ${reason}. The plugin's author must correct it.`,
    );
    return null;
  }
}

/**
 * Whether the schema describes the content of the only section instead of the wrapper: it then does not have the
 * section's name as a property.
 */
function isFlat(schema: JsonSchema, only: Section): boolean {
  const names = propertyNames(schema);
  return names.size > 0 && !(names.size === 1 && names.has(only));
}

function schemaFromFields(
  top: DeclaredSettings,
  settings: DeclaredCapabilities["settings"],
  only: Section | undefined,
): JsonSchema | null {
  const parts = new Map<Section, JsonSchema[]>();
  const add = (section: Section, schema: JsonSchema | null) => {
    if (schema) parts.set(section, [...(parts.get(section) ?? []), schema]);
  };
  for (const { section, declared } of settings) add(section, settingsSchema(declared));
  const topSchema = settingsSchema(top);
  if (only) add(only, topSchema);
  const sections = [...parts].map(([section, schemas]) => [section, merged(schemas)] as const);
  const outside = only ? {} : propertiesOf(topSchema);
  if (sections.length === 0 && Object.keys(outside).length === 0) return null;
  return { type: "object", properties: { ...outside, ...Object.fromEntries(sections) } };
}

/**
 * A schema made of declared secrets and fields, for plugins without a schema of their own. Secrets come first in the
 * form, because the plugin cannot work without them.
 */
function settingsSchema({ secretKeys, fieldSchema }: DeclaredSettings): JsonSchema | null {
  if (secretKeys.length === 0) return fieldSchema;
  const secrets = Object.fromEntries(secretKeys.map((secret) => [secret.key, secretSchema(secret)]));
  return { type: "object", properties: { ...secrets, ...propertiesOf(fieldSchema) } };
}

function secretSchema({ label, help, placeholder, url, optional }: DeclaredSecret): JsonSchema {
  return {
    type: "string",
    title: label,
    ...(help && { description: help }),
    "x-patchbay": {
      secret: true,
      ...(optional && { optional }),
      ...(placeholder && { placeholder }),
      ...(url && { url }),
    },
  };
}

function merged(schemas: JsonSchema[]): JsonSchema {
  return { type: "object", properties: Object.assign({}, ...schemas.map(propertiesOf)) };
}

function propertiesOf(schema: JsonSchema | null): Record<string, unknown> {
  return isObject(schema?.properties) ? schema.properties : {};
}

function defaults(
  top: DeclaredSettings,
  settings: DeclaredCapabilities["settings"],
  only: Section | undefined,
  problems: ManifestProblems,
): Record<string, unknown> | null {
  const whole: Record<string, unknown> = {};
  if (top.defaultConfig) {
    Object.assign(whole, only ? wrapInSection(top.defaultConfig, only) : top.defaultConfig);
  }
  for (const { section, declared } of settings) {
    if (!declared.defaultConfig) continue;
    const above = whole[section];
    if (above !== undefined && !isObject(above)) {
      problems.add(
        "defaultConfig",
        `\`defaultConfig.${section}\` must be an object. The plugin's author must correct it.`,
      );
    }
    whole[section] = { ...(isObject(above) ? above : {}), ...declared.defaultConfig };
  }
  return Object.keys(whole).length > 0 ? whole : null;
}
