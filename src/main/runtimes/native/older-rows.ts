import { isObject } from "../../../contract/is-object.ts";
import { placeOf } from "./manifest/declare-config.ts";
import { wholeSchema } from "./manifest/flat-schema.ts";
import type { Section } from "./manifest/manifest-settings.ts";
import { sections } from "./manifest/wrap-settings.ts";

type Row = Record<string, unknown>;

/**
 * Upgrades a plugin's row of version 2. Such rows contained this runtime's sections: a schema could describe the inside
 * of one section, and a secret named its section instead of a path.
 */
export function withSettingsPaths(old: unknown): unknown {
  const plugin = old as Row;
  const previous = Array.isArray(plugin.previous) ? plugin.previous : [];
  const upgraded = previous.map((version) => upgradedVersion(version, plugin.runtime));
  return { ...upgradedVersion(plugin, plugin.runtime), previous: upgraded };
}

function upgradedVersion(version: Row, runtime: unknown): Row {
  const { flatConfig, ...declaration } = version.declaration as Row;
  if (runtime !== "native") return { ...version, declaration };
  const capabilities = version.capabilities as Row;
  const own = sections.filter((section) => capabilities[section] !== undefined);
  const [only, second] = own;
  const root = only && !second ? [only] : undefined;
  const schema = isObject(declaration.configSchema) ? declaration.configSchema : null;
  const configSchema =
    schema && root && flatConfig === true ? wholeSchema(schema, root[0] as string) : schema;
  const defaults = isObject(declaration.defaultConfig) ? declaration.defaultConfig : null;
  const secretKeys = (declaration.secretKeys as Row[]).map(({ section, ...secret }) => ({
    ...secret,
    path:
      typeof section === "string"
        ? [section, secret.key]
        : placeOf(String(secret.key), own as Section[], configSchema, defaults),
  }));
  return {
    ...version,
    declaration: {
      ...declaration,
      configSchema,
      ...(root && { settingsRoot: root }),
      secretKeys,
      details: { flatConfig: flatConfig === true },
    },
  };
}

/**
 * Makes the upgrade of an agent's row of version 1. Such rows kept the settings of every plugin system in this
 * runtime's sections; the settings of fledge plugins are taken out of them. Where the plugin is not installed, fledge's
 * settings are recognised by the names of the only two that it has.
 *
 * @param runtimeOf returns the plugin system of an installed plugin
 */
export function withoutForeignParts(runtimeOf: (pluginKey: string) => string | undefined) {
  return (old: unknown): unknown => {
    const row = old as Row;
    return { ...row, config: freed(row.config, runtimeOf(String(row.pluginKey))) };
  };
}

function freed(config: unknown, runtime: string | undefined): unknown {
  if (!isObject(config) || !isObject(config.tools) || runtime === "native") return config;
  const { tools, ...others } = config;
  const names = Object.keys({ ...others, ...tools });
  return names.every((name) => name === "env" || name === "prompts") ? { ...others, ...tools } : config;
}
