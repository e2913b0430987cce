import type { Plugin } from "../../contract/index.ts";
import { isObject } from "../../contract/is-object.ts";
import type { AgentPlugins } from "../registry/index.ts";
import { validateConfig } from "../registry/index.ts";
import { sealSecrets, secretName } from "../registry/secret-fields.ts";
import { wrapConfig } from "../runtimes/native/manifest/wrap-settings.ts";
import { findReferences, plainReferences, resolveReferences, type Vault } from "../secrets/index.ts";
import { readRecord } from "./persist/record.ts";
import type { Profiles } from "./plugin-credentials.ts";
import type { Outcome } from "./runner/options.ts";
import { renameReferences, sealSensitive } from "./seal-sensitive.ts";

type Config = Record<string, unknown>;

export interface SaveRequest {
  agentId: string;
  plugin: Plugin;
  outcome: Outcome;
  /** What the plugin kept in profiles meanwhile; null when it kept nothing. */
  credentials: Profiles | null;
  vault: Vault;
  agentPlugins: AgentPlugins;
}

/**
 * Keeps a finished setup. Everything is checked first; then the secrets are written, under names that nothing refers
 * to yet, in one write; then the row that refers to them, switched on, in one write. Killed before that write, the
 * plugin is as it was; after it, it is set up whole.
 *
 * @throws PatchbayError CONFIG_REFUSED, CONFIG_INVALID, BAD_INPUT, VAULT_CLOSED, DISK_FULL, WRITE_FAILED; nothing is changed then
 */
export async function saveFinished(request: SaveRequest): Promise<void> {
  const { agentId, plugin, outcome, vault, agentPlugins } = request;
  const key = plugin.manifestKey;
  const row = agentPlugins.get(agentId, key);
  const record = readRecord(row);
  const before = row?.config ?? {};
  const sealed = sealSecrets(plugin, plainReferences(merged(plugin, before, outcome)), outcome.secrets);
  const store = new Map([...sealed.store].filter((entry): entry is [string, string] => entry[1] !== null));
  const draft = sealSensitive(key, sealed.config, outcome.sensitive, store);
  const inUse = new Set(findReferences(before));
  const { config, values } = underFreeNames(draft, store, inUse);
  validateConfig(plugin.declaration, config);
  const resolved = resolveReferences(config, (name) => values.get(name) ?? vault.resolve(name, agentId));
  // Settings that lack a secret cannot be judged; that it is missing is said by the start.
  if (resolved.missing.length === 0) await outcome.check(resolved.config);

  const credentials = request.credentials
    ? keep(values, secretName(key, "credentials"), record.finished?.credentials, request.credentials)
    : (record.finished?.credentials ?? null);
  const grant = outcome.grant
    ? keep(values, secretName(key, "sign_in"), record.finished?.grant, outcome.grant)
    : (record.finished?.grant ?? null);
  noteWriting(request, [...values.keys()]);
  await vault.setAll(values, agentId);
  const { account } = outcome;
  const finished = { at: new Date().toISOString(), account, credentials, grant };
  agentPlugins.set(agentId, key, { enabled: true, config, setupState: { finished, open: null } });

  const needed = new Set([...findReferences(config), credentials, grant]);
  const replaced = [...inUse, record.finished?.credentials, record.finished?.grant].filter(
    (name) => !needed.has(name ?? null),
  );
  await removeUnused(request, replaced);
}

/** What is in the vault when the app is killed before the row refers to it is found and removed at the next start. */
function noteWriting({ agentId, plugin, agentPlugins }: SaveRequest, names: string[]): void {
  const { finished, open } = readRecord(agentPlugins.get(agentId, plugin.manifestKey));
  if (!open || names.length === 0) return;
  const setupState = { finished, open: { ...open, writing: names } };
  agentPlugins.report(agentId, plugin.manifestKey, { setupState });
  agentPlugins.flush();
}

/** Hand-set settings survive what a plugin's setup gives; a form is the whole. */
function merged(plugin: Plugin, before: Config, outcome: Outcome): Config {
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

/** A name that the present settings refer to must not change its value before they do. */
function underFreeNames(config: Config, store: ReadonlyMap<string, string>, inUse: ReadonlySet<string>) {
  const names = new Map<string, string>();
  const values = new Map<string, string>();
  for (const [name, value] of store) {
    const free = inUse.has(name) ? otherName(name) : name;
    names.set(name, free);
    values.set(free, value);
  }
  return { config: renameReferences(config, names), values };
}

function keep(
  values: Map<string, string>,
  name: string,
  current: string | null | undefined,
  value: unknown,
): string {
  const free = current === name ? otherName(name) : name;
  values.set(free, JSON.stringify(value));
  return free;
}

function otherName(name: string): string {
  return name.endsWith("_2") ? name.slice(0, -2) : `${name}_2`;
}

async function removeUnused(
  { agentId, vault, agentPlugins }: SaveRequest,
  names: readonly (string | null | undefined)[],
): Promise<void> {
  const elsewhere = new Set(agentPlugins.list(agentId).flatMap((row) => findReferences(row.config)));
  for (const name of names) {
    const own = vault.list().some((secret) => secret.name === name && secret.agentId === agentId);
    // The setup is done; what is left over harms nobody.
    if (name && own && !elsewhere.has(name)) await vault.remove(name, agentId).catch(() => {});
  }
}
