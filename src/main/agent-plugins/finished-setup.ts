import type { AgentPluginRow, Plugin } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import { validateConfig } from "../registry/index.ts";
import { sealSecrets, secretName } from "../registry/secret-fields.ts";
import { wrapConfig } from "../runtimes/native/manifest/wrap-settings.ts";
import { plainReferences, renameReferences, resolveReferences, type Vault } from "../secrets/index.ts";
import type { FinishedSetup } from "../setup/persist/keeps-setups.ts";
import { readRecord } from "../setup/persist/record.ts";
import type { Change } from "./commit.ts";
import { namesOfRow, unsaidNames } from "./names.ts";
import { sealSensitive } from "./seal-sensitive.ts";

type Config = Record<string, unknown>;

/**
 * What a finished setup changes, checked: its settings with every secret taken out of them, its sign-in, what it keeps in
 * profiles, and that the plugin is switched on.
 *
 * @throws PatchbayError CONFIG_REFUSED, CONFIG_INVALID, BAD_INPUT, VAULT_CLOSED
 */
export async function changeOfSetup(
  { agentId, plugin, outcome, credentials }: FinishedSetup,
  row: AgentPluginRow | undefined,
  vault: Pick<Vault, "resolve">,
): Promise<Change> {
  const key = plugin.manifestKey;
  const { finished } = readRecord(row);
  const before = row?.config ?? {};
  const sealed = sealSecrets(plugin, plainReferences(merged(plugin, before, outcome)), outcome.secrets);
  const values = new Map([...sealed.store].filter((entry): entry is [string, string] => entry[1] !== null));
  const config = sealSensitive(key, sealed.config, outcome.sensitive, values);
  validateConfig(plugin.declaration, config);
  const resolved = resolveReferences(config, (name) => values.get(name) ?? vault.resolve(name, agentId));
  // Settings that lack a secret cannot be judged; that it is missing is said by the start.
  if (resolved.missing.length === 0) await outcome.check(resolved.config);

  const kept = { credentials: secretName(key, "credentials"), grant: secretName(key, "sign_in") };
  if (credentials) values.set(kept.credentials, JSON.stringify(credentials));
  if (outcome.grant) values.set(kept.grant, JSON.stringify(outcome.grant));
  return {
    agentId,
    key,
    values,
    outdated: row ? [...namesOfRow(row, plugin), ...unsaidNames(row)] : [],
    row: (names) => ({
      enabled: true,
      config: renameReferences(config, names),
      setupState: {
        finished: {
          at: new Date().toISOString(),
          account: outcome.account,
          credentials: names.get(kept.credentials) ?? finished?.credentials ?? null,
          grant: names.get(kept.grant) ?? finished?.grant ?? null,
        },
        open: null,
      },
    }),
  };
}

/** Hand-set settings survive what a plugin's setup gives; a form is the whole. */
function merged(plugin: Plugin, before: Config, outcome: FinishedSetup["outcome"]): Config {
  const { declaration, capabilities } = plugin;
  const given = wrapConfig(declaration, capabilities, inSection(plugin, outcome.config));
  if (outcome.whole) return given;
  const base = Object.keys(before).length > 0 ? before : (declaration.defaultConfig ?? {});
  const whole: Config = { ...base };
  for (const [name, value] of Object.entries(given)) {
    const old = whole[name];
    whole[name] = isObject(old) && isObject(value) ? { ...old, ...value } : value;
  }
  return whole;
}

/** The setup of a channel gives the channel's own settings, also in a plugin that has more than a channel. */
function inSection({ capabilities }: Plugin, config: Config): Config {
  const own = (["tools", "channel", "hooks"] as const).filter((section) => capabilities[section]);
  if (own.length < 2 || !capabilities.channel) return config;
  return Object.keys(config).every((name) => own.some((section) => section === name))
    ? config
    : { channel: config };
}
