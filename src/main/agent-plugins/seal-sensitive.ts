import type { Plugin } from "../../contract/index.ts";
import { secretName } from "../registry/secret-fields.ts";
import { hasReference } from "../secrets/index.ts";
import { Redaction } from "../secrets/redaction.ts";

type Config = Record<string, unknown>;

/** Names under which no person keeps anything but a secret. */
const SECRET_NAME =
  /(token|secret|password|passwd|passphrase|api_?key|private_?key|session_?key|auth_?key)s?$/i;

/**
 * Takes what must not stand in plain text out of settings that a setup has given, declared or not: what was typed into
 * a password field, what a provider gave, texts that hold one of these in any spelling, and texts under a name that
 * speaks for itself. Puts the values into `store`.
 */
export function sealSensitive(
  { manifestKey, declaration }: Pick<Plugin, "manifestKey" | "declaration">,
  config: Config,
  sensitive: readonly string[],
  store: Map<string, string>,
): Config {
  const known = new Set(sensitive);
  const hidden = new Redaction();
  for (const value of known) hidden.add(value);
  const isTold = (text: string) => known.has(text) || hidden.text(text) !== text;
  const seal = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => seal(item, [...path, String(index)]));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, seal(item, [...path, key])]),
      );
    }
    if (typeof value !== "string" || value === "" || hasReference(value)) return value;
    if (!isTold(value) && !SECRET_NAME.test(path.at(-1) ?? "")) return value;
    const name = secretName(manifestKey, inRoot(path, declaration.settingsRoot).join("_") || "value");
    store.set(name, value);
    return `\${${name}}`;
  };
  return seal(config, []) as Config;
}

/** A path without the part of the settings in which all that people set lies. */
function inRoot(path: readonly string[], root: readonly string[] = []): readonly string[] {
  return root.every((name, index) => path[index] === name) ? path.slice(root.length) : path;
}
