import type { AgentPluginRow, Plugin } from "../../contract/index.ts";
import { type Clock, isoTime } from "../base/clock.ts";
import { ownHostsIn } from "../permissions/own-hosts.ts";
import { givenAfter, givenByHand, givenTo } from "../registry/given-secrets.ts";
import { validateConfig } from "../registry/index.ts";
import { newPlaceholder, putInHosts } from "../registry/put-in-secrets.ts";
import { placesNotAllowed, withoutPlaces } from "../registry/settings/schema-places.ts";
import { sealSecrets, secretName } from "../registry/settings/secret-fields.ts";
import { settingsOf, withoutUnneeded, withSchemaDefaults } from "../registry/settings/settings-of.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import { plainReferences, renameReferences, resolveReferences, type Vault } from "../secrets/index.ts";
import type { FinishedSetup } from "../setup/persist/keeps-setups.ts";
import { readRecord } from "../setup/persist/record.ts";
import type { Change } from "./commit.ts";
import { namesOfRow, unsaidNames } from "./names.ts";
import { sealSensitive } from "./seal-sensitive.ts";

type Config = Record<string, unknown>;
type Runtime = Pick<PluginRuntime, "acceptSettings" | "mergeSettings"> | undefined;

/**
 * What a finished setup changes, checked: its settings with every secret taken out of them, its sign-in, what it keeps in
 * profiles, and that the plugin is switched on.
 *
 * @throws PatchbayError CONFIG_REFUSED, CONFIG_INVALID, BAD_INPUT, VAULT_CLOSED
 */
export async function changeOfSetup(
  { agentId, plugin, outcome, typed, credentials }: FinishedSetup,
  row: AgentPluginRow | undefined,
  vault: Pick<Vault, "has" | "resolve">,
  runtime: Runtime,
  clock: Clock,
): Promise<Change> {
  const key = plugin.manifestKey;
  const { finished } = readRecord(row);
  const before = row?.config ?? {};
  const sealed = sealSecrets(
    plugin,
    plainReferences(merged(plugin, before, outcome, runtime)),
    outcome.secrets,
  );
  const values = new Map([...sealed.store].filter((entry): entry is [string, string] => entry[1] !== null));
  const config = sealSensitive(plugin, sealed.config, outcome.sensitive, values);
  validateConfig(plugin.declaration, config);
  const byHand = outcome.whole
    ? givenByHand(outcome.config, settingsOf(before, plugin), plugin.declaration)
    : [];
  const given = new Set([...givenTo(row), ...byHand]);
  // What a plugin's own setup names is no gift: a secret of somebody else that stands in it is not looked up.
  const lookup = (name: string) => {
    const value = values.get(name) ?? (given.has(name) ? vault.resolve(name, agentId) : undefined);
    // The plugin's process judges the settings: what it does not get later it does not get now.
    return value !== undefined && putInHosts(plugin, config, name) ? newPlaceholder() : value;
  };
  const filled = withSchemaDefaults(plugin.declaration, config);
  const isThere = (name: string) => values.has(name) || vault.has(name, agentId);
  const needed = withoutUnneeded(filled, plugin, isThere);
  const resolved = resolveReferences(needed, lookup);
  // With a secret missing the plugin cannot judge its settings; the start of the plugin reports the missing secret.
  if (resolved.missing.length === 0) {
    await outcome.check(withoutPlaces(resolved.config, placesNotAllowed(plugin.declaration, needed)));
  }

  const kept = { credentials: secretName(key, "credentials"), grant: secretName(key, "sign_in") };
  if (credentials) values.set(kept.credentials, JSON.stringify(credentials));
  if (outcome.grant) values.set(kept.grant, JSON.stringify(outcome.grant));
  return {
    agentId,
    key,
    values,
    outdated: row ? [...namesOfRow(row), ...unsaidNames(row)] : [],
    row: (names) => ({
      enabled: true,
      working: null,
      refusedSettings: null,
      config: renameReferences(config, names),
      ownHosts: ownHostsIn(config, row, plugin.declaration, outcome.whole ? undefined : typed),
      given: givenAfter(plugin, row, renameReferences(config, names), [
        ...byHand,
        ...settingNames(names, kept),
      ]),
      setupState: {
        finished: {
          at: isoTime(clock),
          account: outcome.account,
          credentials: names.get(kept.credentials) ?? finished?.credentials ?? null,
          grant: names.get(kept.grant) ?? finished?.grant ?? null,
        },
        open: null,
      },
    }),
  };
}

/** The names under which the new secrets of the settings were stored; what Patchbay itself keeps is not among them. */
function settingNames(
  names: ReadonlyMap<string, string>,
  kept: { credentials: string; grant: string },
): string[] {
  const own = new Set([kept.credentials, kept.grant]);
  return [...names].filter(([wished]) => !own.has(wished)).map(([, name]) => name);
}

/**
 * A plugin's own setup changes only the settings that it names and keeps the rest; a form gives all settings and
 * replaces them.
 */
function merged(plugin: Plugin, before: Config, outcome: FinishedSetup["outcome"], runtime: Runtime): Config {
  const given = runtime?.acceptSettings?.(plugin, outcome.config) ?? outcome.config;
  if (outcome.whole) return given;
  const base = settingsOf(before, plugin);
  return runtime?.mergeSettings?.(base, given) ?? { ...base, ...given };
}
