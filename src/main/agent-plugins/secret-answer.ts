import { type AgentPluginRow, PatchbayError, type Plugin } from "../../contract/index.ts";
import { givenTo, namedSecrets } from "../registry/given-secrets.ts";
import type { AgentPluginPatch } from "../registry/index.ts";
import { settingsOf, withSchemaDefaults } from "../registry/settings/settings-of.ts";

/**
 * What a person's answer to "may it have this secret?" changes in the row. A secret that was given before can be taken
 * back by refusing it.
 *
 * @throws PatchbayError PLUGIN_NOT_FOUND, BAD_INPUT when the plugin names no such secret
 */
export function answered(
  plugin: Plugin | undefined,
  key: string,
  row: AgentPluginRow | undefined,
  name: string,
  give: boolean,
): AgentPluginPatch {
  if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
  const given = new Set(givenTo(row));
  const refused = new Set(row?.refused);
  const settings = withSchemaDefaults(plugin.declaration, settingsOf(row?.config, plugin));
  if (!given.has(name) && !namedSecrets(plugin, settings).includes(name)) {
    throw new PatchbayError("BAD_INPUT", `${plugin.displayName} does not ask for a secret named ${name}.`);
  }
  for (const names of [given, refused]) names.delete(name);
  (give ? given : refused).add(name);
  return { given: [...given], refused: [...refused] };
}
