import type { Plugin } from "../../contract/index.ts";
import { secretName } from "../registry/settings/secret-fields.ts";
import { hasReference } from "../secrets/index.ts";
import { Redaction } from "../secrets/redaction/redaction.ts";

type Config = Record<string, unknown>;

/** A setting with such a name holds a secret, whether or not the plugin declares it as one. */
const SECRET_NAME =
  /(token|secret|password|passwd|passphrase|api_?key|private_?key|session_?key|auth_?key)s?$/i;

/**
 * Replaces every secret in the settings that a setup returned by a reference `${NAME}`, and puts the values into
 * `store` (name → value). A text counts as a secret when it contains a value of `sensitive` (typed into a password
 * field or given by a provider) in any encoding, or when the setting's name looks like one of a secret.
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

/** A path relative to the settings' root, which is the part of the settings that people can set. */
function inRoot(path: readonly string[], root: readonly string[] = []): readonly string[] {
  return root.every((name, index) => path[index] === name) ? path.slice(root.length) : path;
}
