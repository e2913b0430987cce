import { type Capabilities, type Declaration, PatchbayError } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { detailsOf } from "./details.ts";
import { propertyNames } from "./schema-properties.ts";

/** The parts of the settings wrapper `{tools?, channel?, hooks?}`. */
export const sections = ["tools", "channel", "hooks"] as const;
type Section = (typeof sections)[number];
type Config = Record<string, unknown>;

/**
 * Turns given settings into the stored form, the wrapper `{tools?, channel?, hooks?}`. For a plugin with a single one
 * of these capabilities the settings may be given flat, and are wrapped here. A plugin with none of them (commands,
 * skills) has no wrapper.
 *
 * @throws PatchbayError CONFIG_INVALID with `details.fields` ({path, message}) when they are neither a wrapper nor flat
 */
export function wrapConfig(
  declaration: Pick<Declaration, "configSchema" | "details">,
  capabilities: Capabilities,
  config: unknown,
): Config {
  if (!isObject(config)) throw invalid("", "The settings must be an object.");
  const own = sections.filter((section) => capabilities[section] !== undefined);
  const [only, second] = own;
  if (!only) return config;
  const described = describedNames(declaration, only);
  return second ? checkWrapper(config, own, described) : wrapOne(config, only, described);
}

/**
 * The property names at the top of the plugin's own schema; for a plugin with flat settings those inside its section.
 */
function describedNames(
  { configSchema, details }: Pick<Declaration, "configSchema" | "details">,
  only: Section,
) {
  if (!configSchema) return new Set<string>();
  if (!detailsOf(details).flatConfig) return propertyNames(configSchema);
  const { properties, ...whole } = configSchema;
  const inner = isObject(properties) ? properties[only] : undefined;
  return propertyNames(isObject(inner) ? { ...whole, ...inner } : {});
}

/**
 * Wraps the settings that a plugin's setup returned. The setup of a channel returns the channel's settings without the
 * wrapper, even when the plugin has more capabilities.
 */
export function wrapFromSetup(
  declaration: Pick<Declaration, "configSchema" | "details">,
  capabilities: Capabilities,
  config: Config,
): Config {
  const own = sections.filter((section) => capabilities[section]);
  const isWrapper = Object.keys(config).every((name) => own.some((section) => section === name));
  const inChannel = own.length > 1 && capabilities.channel && !isWrapper;
  return wrapConfig(declaration, capabilities, inChannel ? { channel: config } : config);
}

/** Settings with others laid over them, part by part. */
export function mergeWrapped(base: Config, over: Config): Config {
  const merged: Config = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const old = merged[name];
    merged[name] = isObject(old) && isObject(value) ? { ...old, ...value } : value;
  }
  return merged;
}

/** `{[section]: config}`; the same object when it is wrapped already. */
export function wrapInSection(config: Config, section: Section): Config {
  return isWrapped(config, section) ? config : { [section]: config };
}

function wrapOne(config: Config, only: Section, described: ReadonlySet<string>): Config {
  if (isWrapped(config, only)) return config;
  for (const section of sections) {
    if (!isObject(config[section]) || describesFlat(described, only, section)) continue;
    if (section === only) {
      const [other] = Object.keys(config).filter((key) => key !== only);
      throw invalid(
        other ?? "",
        `\`${other}\` stands beside \`${only}\`; all settings belong inside \`${only}\`.`,
      );
    }
    throw invalid(section, `\`${section}\` is not a part of this plugin: it has only \`${only}\`.`);
  }
  return Object.keys(config).length === 0 ? {} : { [only]: config };
}

function checkWrapper(config: Config, own: Section[], described: ReadonlySet<string>): Config {
  const parts = own.map((section) => `\`${section}\``).join(", ");
  for (const [key, value] of Object.entries(config)) {
    const section = own.find((name) => name === key);
    if (section && !isObject(value))
      throw invalid(key, `\`${key}\` must be an object with the settings of that part.`);
    if (!section && !described.has(key)) {
      throw invalid(
        key,
        `\`${key}\` is in the wrong place: the settings of this plugin belong inside ${parts}.`,
      );
    }
  }
  return config;
}

function isWrapped(config: Config, section: Section): boolean {
  return isObject(config[section]) && Object.keys(config).length === 1;
}

/**
 * Whether `name` is a flat setting of the plugin and not the section: a setting may have the same name as a section.
 */
function describesFlat(described: ReadonlySet<string>, only: Section, name: string): boolean {
  return described.has(name) && !(described.size === 1 && described.has(only));
}

function invalid(path: string, message: string): PatchbayError {
  return new PatchbayError("CONFIG_INVALID", message, { details: { fields: [{ path, message }] } });
}
