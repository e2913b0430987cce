import { randomBytes } from "node:crypto";
import type { Declaration } from "../../contract/index.ts";
import { findReferences } from "../secrets/references.ts";
import { isSpellingOf, nameByKey, secretIn, secretName } from "./settings/secret-fields.ts";

type Config = Record<string, unknown>;
type Declared = { declaration: Pick<Declaration, "secretKeys">; manifestKey: string };

/**
 * The hosts on the way to which a stored secret is put in, so that the plugin does not get it; null when the plugin
 * gets it. Counts every name that a secret of this kind can have, so that no other setting leads to its value.
 */
export function putInHosts(plugin: Declared, settings: Config, name: string): string[] | null {
  const hosts = plugin.declaration.secretKeys.flatMap((secret) => {
    const { key, sentOnlyTo = [] } = secret;
    const names = [...findReferences({ value: secretIn(settings, secret) }), nameByKey(secret, settings)];
    const own = [key, secretName(plugin.manifestKey, key)];
    return names.includes(name) || own.some((each) => isSpellingOf(name, each)) ? sentOnlyTo : [];
  });
  return hosts.length > 0 ? [...new Set(hosts)] : null;
}

/** A text in the place of a secret's value, of letters, digits and dashes, that nobody can guess. */
export function newPlaceholder(): string {
  return `pb-secret-${randomBytes(12).toString("hex")}`;
}
