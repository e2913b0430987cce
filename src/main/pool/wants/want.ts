import { hash } from "node:crypto";
import {
  type Agent,
  type AgentPluginRow,
  type Grants,
  isObject,
  PatchbayError,
  type Plugin,
  type Problem,
  toProblem,
} from "../../../contract/index.ts";
import { isOfAnother } from "../../registry/another-package.ts";
import { givenTo, namedSecrets, notGiven } from "../../registry/given-secrets.ts";
import { newPlaceholder, putInHosts } from "../../registry/put-in-secrets.ts";
import { ownersOf } from "../../registry/secret-owners.ts";
import { placesNotAllowed, withoutPlaces } from "../../registry/settings/schema-places.ts";
import { nameByKey, secretIn } from "../../registry/settings/secret-fields.ts";
import { settingsOf, startSettings, withSchemaDefaults } from "../../registry/settings/settings-of.ts";
import type { PutInSecret } from "../../runtimes/runtime.ts";
import { findReferences, resolveReferences } from "../../secrets/references.ts";
import type { PoolOptions } from "../ports.ts";

/** A want: with which version, settings and secrets a plugin should run for an agent. */
export interface Want {
  plugin: Plugin;
  agent: Agent;
  /** Where it may keep what it makes; absent: in the agent's own folder of it. */
  files?: string;
  /** The stored secrets that it names although they were not given to it, and who they were given to. */
  withheld: { name: string; owners: string[] }[];
  /** Why the plugin cannot start like this: a secret is missing, the vault is closed. Null when nothing prevents it. */
  obstacle: Problem | null;
  /** A text that is equal for two wants exactly when changing from one to the other needs no restart. */
  fingerprint: string;
  /**
   * Looks the values of the secrets up, which a want does not hold: a plugin that waits needs none.
   * @throws PatchbayError VAULT_CLOSED
   */
  open(): Opened;
}

/** What a plugin is started with. */
export interface Opened {
  /** The settings with secrets resolved. */
  config: Record<string, unknown>;
  /** The secrets that the plugin may see, by name. */
  secrets: Record<string, string>;
  /** Those of them that stand there as placeholders, made for this start. */
  putIn: PutInSecret[];
}

type Sources = Pick<
  PoolOptions,
  "registry" | "agentPlugins" | "agents" | "vault" | "permissions" | "holdOf" | "doubtOf" | "wallState"
>;

/**
 * Reads the want from the stored row, the catalogue and the vault; null when nothing should run. `version`: use this
 * version instead of the installed one.
 */
export function readWant(sources: Sources, agentId: string, key: string, version?: Plugin): Want | null {
  const row = sources.agentPlugins.get(agentId, key);
  const plugin = version ?? sources.registry.get(key);
  const agent = sources.agents.get(agentId);
  if (!row?.enabled || !plugin || !agent || sources.holdOf?.(agentId, key)) return null;
  // Another package took the key, and what it inherits is not settled yet.
  if (isOfAnother(row, plugin)) return null;
  const { vault } = sources;
  const isStored = (name: string) => vault.has(name, agentId);
  const settings = startSettings(row.config, plugin, isStored);
  const given = givenTo(row);
  const withheld = notGiven(plugin, settings, given, isStored).map((name) => ({
    name,
    owners: ownersOf(sources, agentId, name, key),
  }));
  const lookup = (name: string) => (given.has(name) ? vault.resolve(name, agentId) : undefined);
  // In the place of each value its mark: enough to see what is missing and what has changed.
  const marked = (name: string) => (given.has(name) ? vault.markOf(name, agentId) : undefined);
  const { obstacle: lacks, ...shape } = shapeOf(marked, plugin, settings, withheld);
  const obstacle = sources.doubtOf?.(agentId) ?? lacks;
  const { files, programs, model } = sources.permissions.of(agentId, plugin);
  const view = { files, programs, model, walls: sources.wallState?.() };
  return {
    plugin,
    agent,
    withheld,
    obstacle,
    fingerprint: fingerprintOf(plugin, agent, { ...shape, obstacle }, { ...view, signIn: signInOf(row) }),
    open: () => {
      // Where no wall stands, which the person decided, nothing could put a value in on the way.
      if (view.walls === "unwalled") return { ...openedWith(lookup, plugin, settings), putIn: [] };
      const placing = withPlaceholders(lookup, (name) => putInHosts(plugin, settings, name));
      const opened = openedWith(placing.shown, plugin, settings);
      return { ...opened, putIn: [...placing.made.values()] };
    },
  };
}

type Lookup = (name: string) => string | undefined;

/** The same values, with a placeholder for each that is put in on the way to some hosts alone. */
function withPlaceholders(lookup: Lookup, hostsOf: (name: string) => string[] | null) {
  const made = new Map<string, PutInSecret>();
  const shown: Lookup = (name) => {
    const hosts = hostsOf(name);
    const value = lookup(name);
    if (hosts === null || value === undefined) return value;
    const secret = made.get(name) ?? { placeholder: newPlaceholder(), hosts, value: () => lookup(name) };
    made.set(name, secret);
    return secret.placeholder;
  };
  return { shown, made };
}

/** Whether what should run there depends on the secret of this name. False when nothing should run. */
export function dependsOn(
  { agentPlugins, registry }: Pick<Sources, "agentPlugins" | "registry">,
  agentId: string,
  key: string,
  name: string,
): boolean {
  const row = agentPlugins.get(agentId, key);
  const plugin = registry.get(key);
  if (!row?.enabled || !plugin) return false;
  const settings = withSchemaDefaults(plugin.declaration, settingsOf(row.config, plugin));
  return namedSecrets(plugin, settings).includes(name);
}

/** Whether the plugin has nothing but tools, so that it need not start before one of them is called. */
export function startsOnUse({ capabilities }: Plugin): boolean {
  return (
    capabilities.tools !== undefined && !capabilities.channel && !capabilities.hooks && !capabilities.commands
  );
}

/** Whether a secret that is missing could keep the plugin from starting with these settings. */
export function mayLackSecrets({ declaration }: Plugin, config: Record<string, unknown>): boolean {
  return declaration.secretKeys.length > 0 || findReferences(config).length > 0;
}

type Resolved = Omit<Opened, "putIn"> & Pick<Want, "obstacle">;

/** What a plugin would be started with, with marks in the place of values, and what keeps it from that. */
function shapeOf(
  marked: (name: string) => string | undefined,
  plugin: Plugin,
  settings: Record<string, unknown>,
  withheld: Want["withheld"],
): Resolved {
  try {
    const { missing, lacking, ...shape } = resolveSecrets(marked, plugin, settings);
    const stops =
      withheld.find(({ name }) => missing.includes(name)) ?? (lacking.length > 0 ? withheld[0] : undefined);
    return { ...shape, obstacle: stops ? notGivenYet(plugin, stops) : obstacleOf(plugin, missing, lacking) };
  } catch (error) {
    return { config: settings, secrets: {}, obstacle: toProblem(error, "VAULT_CLOSED") };
  }
}

/** What the plugin gets: a secret for which its schema has no place is no setting. */
function openedWith(lookup: Lookup, plugin: Plugin, settings: Record<string, unknown>) {
  const { config, secrets } = resolveSecrets(lookup, plugin, settings);
  return { config: withoutPlaces(config, placesNotAllowed(plugin.declaration, settings)), secrets };
}

function resolveSecrets(
  lookup: (name: string) => string | undefined,
  plugin: Plugin,
  settings: Record<string, unknown>,
): Omit<Opened, "putIn"> & { missing: string[]; lacking: string[] } {
  const { config, missing } = resolveReferences(settings, lookup);
  const secrets: Record<string, string> = {};
  for (const name of findReferences(settings)) {
    const value = lookup(name);
    if (value !== undefined) secrets[name] = value;
  }
  const lacking = addDeclared(plugin, settings, config, lookup, secrets);
  return { config, secrets, missing, lacking };
}

/**
 * Adds the declared secrets under their keys: the value in the settings, or else the secret stored under the key.
 *
 * @returns the labels of the required secrets that have no value
 */
function addDeclared(
  plugin: Plugin,
  settings: Record<string, unknown>,
  config: Record<string, unknown>,
  lookup: (name: string) => string | undefined,
  secrets: Record<string, string>,
): string[] {
  const lacking: string[] = [];
  for (const secret of plugin.declaration.secretKeys) {
    const value = secretIn(config, secret) ?? lookup(nameByKey(secret, settings));
    if (value !== undefined) secrets[secret.key] = value;
    else if (!secret.optional) lacking.push(secret.label);
  }
  return lacking;
}

/** In words why a plugin does not get a secret that it names. */
export function withheldInWords(plugin: Plugin, { name, owners }: Want["withheld"][number]): string {
  const whose =
    owners.length > 0 ? `which was given to ${owners.join(", ")}` : "which was given to no plugin";
  return `${plugin.displayName} wants the secret ${name}, ${whose}. It does not get it unless you give it.`;
}

function notGivenYet(plugin: Plugin, { name, owners }: Want["withheld"][number]): Problem {
  return new PatchbayError("SECRET_NOT_GIVEN", withheldInWords(plugin, { name, owners }), {
    details: { plugin: plugin.displayName, name, owners },
  }).toProblem();
}

function obstacleOf(plugin: Plugin, missing: string[], lacking: string[]): Problem | null {
  if (missing.length > 0) {
    const names = missing.join(", ");
    return new PatchbayError(
      "MISSING_SECRET",
      missing.length === 1
        ? `${plugin.displayName} needs the secret ${names}, which is not stored.`
        : `${plugin.displayName} needs the secrets ${names}, which are not stored.`,
      { details: { plugin: plugin.displayName, missing } },
    ).toProblem();
  }
  if (lacking.length > 0) {
    return new PatchbayError(
      "NEEDS_SETUP",
      `${plugin.displayName} is not set up yet: ${lacking.join(", ")} ${lacking.length === 1 ? "is" : "are"} missing.`,
      {
        details: { plugin: plugin.displayName, lacking },
      },
    ).toProblem();
  }
  return null;
}

/** @param view what it sees of the machine; what it may reach on the network is read at each connection instead */
function fingerprintOf(
  plugin: Plugin,
  agent: Agent,
  resolved: Resolved,
  view: Pick<Grants, "files" | "programs"> & { walls: string | undefined; signIn?: string | undefined },
): string {
  const { packageVersion, artifact, source, declaration, capabilities } = plugin;
  return hash(
    "sha256",
    JSON.stringify([
      packageVersion,
      artifact,
      source.treeHash,
      source.installedAt,
      declaration,
      capabilities,
      agent.workspace,
      view,
      resolved,
    ]),
  );
}

/** When somebody signed in for it last: a plugin that had no sign-in, or a refused one, is started anew with the new one. */
function signInOf({ setupState }: AgentPluginRow): string | undefined {
  const finished = setupState?.finished;
  return isObject(finished) && finished.grant !== null ? String(finished.at) : undefined;
}
