import { isDeepStrictEqual } from "node:util";
import { withDefaults } from "@patchbay/plugin-sdk";
import type { Declaration, SecretKey } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import { findReferences, plainReferences } from "../../secrets/references.ts";
import { isRequiredAt } from "./schema-places.ts";
import { isSpellingOf, secretName } from "./secret-fields.ts";

type Config = Record<string, unknown>;
type Declared = {
  declaration: Pick<Declaration, "configSchema" | "settingsRoot" | "defaultConfig" | "legacyChannel"> & {
    secretKeys: readonly SecretKey[];
  };
  manifestKey: string;
};

/** The settings of a plugin as they are stored: its own defaults, until somebody has set something. */
export function settingsOf(
  config: Config | undefined,
  plugin: Pick<Declared, "declaration"> | undefined,
): Config {
  if (config && Object.keys(config).length > 0) return config;
  return plugin?.declaration.defaultConfig ?? {};
}

/**
 * The settings with the defaults of the plugin's schema, before secrets are put in. The part in which all settings lie is
 * there when one of its settings has a default.
 */
export function withSchemaDefaults(
  { configSchema, settingsRoot = [] }: Pick<Declaration, "configSchema" | "settingsRoot">,
  settings: Config,
): Config {
  if (!configSchema) return settings;
  const [root, deeper] = settingsRoot;
  const isMissing = root !== undefined && deeper === undefined && settings[root] === undefined;
  if (!isMissing) return withDefaults(configSchema, settings);
  const filled = withDefaults(configSchema, { ...settings, [root]: {} });
  const made: unknown = filled[root];
  return isObject(made) && Object.keys(made).length > 0 ? filled : withDefaults(configSchema, settings);
}

/**
 * What a plugin is started with, before secrets are put in: its settings with the defaults of its schema. A setting that
 * only its own defaults give, that names a secret which is not stored, and that neither its schema nor its secrets
 * require is left out.
 *
 * @param config the stored settings
 * @param isStored whether the agent has a secret of that name
 */
export function startSettings(
  config: Config | undefined,
  plugin: Declared,
  isStored: (name: string) => boolean,
): Config {
  const settings = withSchemaDefaults(plugin.declaration, settingsOf(config, plugin));
  return withoutUnneeded(settings, plugin, isStored);
}

/** The settings without those that name a missing secret only because the plugin's own defaults do. */
export function withoutUnneeded(
  settings: Config,
  plugin: Declared,
  isStored: (name: string) => boolean,
): Config {
  const { configSchema, legacyChannel, defaultConfig } = plugin.declaration;
  // Without a schema of its own nothing says that the plugin can do without it.
  if (configSchema === null || legacyChannel) return settings;
  const lacks = (value: unknown) => findReferences({ value }).some((name) => !isStored(name));
  if (!lacks(settings)) return settings;
  const own = plainReferences(withSchemaDefaults(plugin.declaration, defaultConfig ?? {}));
  const isNeeded = (path: readonly string[], value: unknown) =>
    declaredAt(plugin, path, value)?.optional === false || isRequiredAt(configSchema, path);
  const cleaned = (here: Config, ownHere: unknown, path: readonly string[]): Config => {
    const kept = Object.entries(here).flatMap(([name, value]): [string, unknown][] => {
      if (!lacks(value)) return [[name, value]];
      const ownValue = isObject(ownHere) && Object.hasOwn(ownHere, name) ? ownHere[name] : undefined;
      const at = [...path, name];
      if (isObject(value)) return [[name, cleaned(value, ownValue, at)]];
      const isOwn = isDeepStrictEqual(plainReferences({ value }), { value: ownValue });
      return isOwn && !isNeeded(at, value) ? [] : [[name, value]];
    });
    return Object.fromEntries(kept);
  };
  return cleaned(settings, own, []);
}

/** The declared secret that lies at this place of the settings, or that the text there names; `optional` said either way. */
function declaredAt(
  { declaration, manifestKey }: Declared,
  path: readonly string[],
  value: unknown,
): { optional: boolean } | undefined {
  const names = findReferences({ value });
  const found = declaration.secretKeys.find(
    (secret) =>
      isDeepStrictEqual(secret.path, path) ||
      names.some((name) =>
        [secret.key, secretName(manifestKey, secret.key)].some((own) => isSpellingOf(name, own)),
      ),
  );
  return found && { optional: found.optional === true };
}
