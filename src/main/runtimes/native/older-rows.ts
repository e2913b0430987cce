import { isObject } from "../../../contract/is-object.ts";
import { placeOf } from "./manifest/declare-config.ts";
import { wholeSchema } from "./manifest/flat-schema.ts";
import type { Section } from "./manifest/manifest-settings.ts";
import { sections } from "./manifest/wrap-settings.ts";

type Row = Record<string, unknown>;

/**
 * A plugin's row up to version 2 knew the parts of this runtime's settings: a schema could speak of what is inside of one
 * part, and a secret named its part.
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
 * A row of an agent's plugin of version 1 held the settings of every plugin system in the parts of this one. Those of fledge,
 * which is known by the names of its only two settings where the plugin is not installed, come out of it.
 *
 * @param runtimeOf the plugin system of an installed plugin
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
