import { isDeepStrictEqual } from "node:util";
import type { Declaration, SecretKey } from "../../../contract/index.ts";
import { isObject } from "../../../contract/is-object.ts";
import { findReferences, hasReference } from "../../secrets/index.ts";

type Config = Record<string, unknown>;
type Declared = { declaration: Declaration; manifestKey: string };

/** Settings in which every declared secret is a reference, and the values that have to be stored under those names. */
export interface SealedConfig {
  config: Config;
  /** Values by the name to store them under; null: what is stored there is to be removed. */
  store: Map<string, string | null>;
}

/**
 * Takes the values of declared secrets out of settings and puts references (`${NAME}`) in their place. A value comes
 * from `given` (by the secret's key), or else stands as plain text in the settings. An empty text in `given` removes
 * the secret.
 */
export function sealSecrets(plugin: Declared, config: Config, given: Record<string, string>): SealedConfig {
  let sealed = config;
  const store = new Map<string, string | null>();
  for (const secret of plugin.declaration.secretKeys) {
    const value = given[secret.key];
    if (value !== undefined && isReferredTo(plugin, secret, config)) {
      store.set(nameByKey(secret, config), value === "" ? null : value);
      continue;
    }
    const { path } = secret;
    const name = secretName(plugin.manifestKey, secret.key);
    const current = valueAt(sealed, path);
    const wanted = value ?? (isLiteral(current) ? current : undefined);
    if (wanted === undefined) continue;
    store.set(name, wanted === "" ? null : wanted);
    sealed = withValue(sealed, path, wanted === "" ? undefined : `\${${name}}`);
  }
  return { config: isDeepStrictEqual(sealed, config) ? config : sealed, store };
}

/** For each declared secret, whether a value is there to be used: in the settings, or stored under its own key. */
export function secretsSet(
  plugin: Declared,
  config: Config,
  isStored: (name: string) => boolean,
): Record<string, boolean> {
  return Object.fromEntries(
    plugin.declaration.secretKeys.map((secret) => {
      const value = valueAt(config, secret.path);
      const names = findReferences({ value });
      const isThere =
        names.length > 0 ? names.every(isStored) : isLiteral(value) || isStored(nameByKey(secret, config));
      return [secret.key, isThere];
    }),
  );
}

/**
 * Whether the settings use a secret by its name instead of holding it at its own path. Older channel packages do so:
 * another field of their settings refers to the declared name, as in `secretKeys: [{key: "CHAT_TOKEN"}]`,
 * `defaultConfig: {token: "${{CHAT_TOKEN}}"}`.
 */
function isReferredTo({ declaration }: Declared, secret: SecretKey, config: Config): boolean {
  return declaration.legacyChannel === true && findReferences(config).includes(nameByKey(secret, config));
}

/** Whether settings hold a value, or a reference to one, at the place of a declared secret. */
export function hasOwnValue({ path }: SecretKey, config: Config): boolean {
  const value = valueAt(config, path);
  return typeof value === "string" && value !== "";
}

/** The value of a declared secret in settings whose references are resolved. */
export function secretIn(config: Config, { path }: SecretKey): string | undefined {
  const value = valueAt(config, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The vault name of a secret that has no place of its own in the settings: its key, or the key with a number behind it
 * (`CHAT_TOKEN_2`), which it got when its value was replaced.
 */
export function nameByKey({ key }: SecretKey, config: Config): string {
  return findReferences(config).find((name) => isSpellingOf(name, key)) ?? key;
}

/**
 * Whether `name` is `wished`, or `wished` with a number behind it (`WISHED_2`), which is used when `wished` is taken.
 */
export function isSpellingOf(name: string, wished: string): boolean {
  return name === wished || (name.startsWith(`${wished}_`) && /^\d+$/.test(name.slice(wished.length + 1)));
}

/** The name under which a plugin's declared secret is stored: `http` and `apiKey` give `HTTP_API_KEY`. */
export function secretName(pluginKey: string, key: string): string {
  const plugin = upper(pluginKey);
  const own = upper(key);
  const name = own === plugin || own.startsWith(`${plugin}_`) ? own : `${plugin}_${own}`;
  return /^\d/.test(name) ? `_${name}` : name;
}

function upper(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}

function isLiteral(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !hasReference(value);
}

function valueAt(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const part of path) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

function withValue(config: Config, [head, ...rest]: readonly string[], value: unknown): Config {
  if (head === undefined) return config;
  const { [head]: current, ...others } = config;
  if (rest.length > 0) return { ...config, [head]: withValue(isObject(current) ? current : {}, rest, value) };
  return value === undefined ? others : { ...config, [head]: value };
}
