import { type Capabilities, type Declaration, PatchbayError } from "../../../../contract/index.ts";
import { isObject } from "../../../../contract/is-object.ts";
import { detailsOf } from "./details.ts";
import { propertyNames } from "./schema-properties.ts";

/** The parts of the settings wrapper `{tools?, channel?, hooks?}`. */
export const sections = ["tools", "channel", "hooks"] as const;
type Section = (typeof sections)[number];
type Config = Record<string, unknown>;

/**
 * Settings as they are stored: in the wrapper `{tools?, channel?, hooks?}`. A plugin with one of these capabilities may
 * be given its settings flat; they are wrapped. One with none of them (commands, skills) has no wrapper.
 *
 * @throws PatchbayError CONFIG_INVALID with `details.fields` ({path, message}) when it is neither
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

/** The names that the plugin's own schema has at its top: of the wrapper, or of what is inside when the plugin is flat. */
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
 * What a plugin's setup gives, in the wrapper: the setup of a channel gives the channel's own settings, also in a plugin that
 * has more than a channel.
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

/** `{section: config}`, unless it is that already. */
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

/** A flat setting may happen to have the name of a section. */
function describesFlat(described: ReadonlySet<string>, only: Section, name: string): boolean {
  return described.has(name) && !(described.size === 1 && described.has(only));
}

function invalid(path: string, message: string): PatchbayError {
  return new PatchbayError("CONFIG_INVALID", message, { details: { fields: [{ path, message }] } });
}
