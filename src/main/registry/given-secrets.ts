import type { AgentPluginRow, Declaration, Plugin } from "../../contract/index.ts";
import { findReferences } from "../secrets/references.ts";
import { hasOwnValue, nameByKey } from "./settings/secret-fields.ts";

type Config = Record<string, unknown>;
type GivenRow = Pick<AgentPluginRow, "config" | "given">;

/**
 * The names of the secrets that were given to an agent's plugin. A plugin sees no other stored secret, whatever its
 * settings or its manifest name. In a row of an older Patchbay these are the secrets that its settings refer to.
 */
export function givenTo(row: GivenRow | undefined): ReadonlySet<string> {
  return new Set(row?.given ?? findReferences(row?.config));
}

/** The names of secrets that a plugin uses: in its settings, or by the key of a declared secret without a value there. */
export function namedSecrets({ declaration }: Pick<Plugin, "declaration">, settings: Config): string[] {
  const keys = declaration.secretKeys.filter((secret) => !hasOwnValue(secret, settings));
  return [...new Set([...findReferences(settings), ...keys.map((secret) => nameByKey(secret, settings))])];
}

/**
 * The names that a plugin uses although their secrets, which are stored, were not given to it. Each is a question to
 * the person.
 */
export function notGiven(
  plugin: Pick<Plugin, "declaration">,
  settings: Config,
  given: ReadonlySet<string>,
  isStored: (name: string) => boolean,
): string[] {
  return namedSecrets(plugin, settings).filter((name) => !given.has(name) && isStored(name));
}

/**
 * The names that a person gives by writing `${NAME}` into settings. A name that the plugin itself has put there, by
 * anything that it declares (defaults, a schema, a key) or by the settings that stood there before, is not given by
 * saving the form that shows it.
 *
 * @param before the settings that the person was shown
 */
export function givenByHand(written: Config, before: Config, declaration: Declaration): string[] {
  const keys = declaration.secretKeys.map(({ key }) => key);
  const there = new Set([...findReferences(before), ...findReferences(declaration), ...keys]);
  return findReferences(written).filter((name) => !there.has(name));
}

/** What a row is given after a save: what it was given and still uses, and what the save adds. */
export function givenAfter(
  plugin: Pick<Plugin, "declaration">,
  row: GivenRow | undefined,
  config: Config,
  added: Iterable<string>,
): string[] {
  const used = new Set(namedSecrets(plugin, config));
  return [...new Set([...[...givenTo(row)].filter((name) => used.has(name)), ...added])];
}
