import {
  type Agent,
  type AgentPluginRow,
  type AgentPluginState,
  type AgentPluginView,
  type AgentView,
  type MissingSecret,
  PatchbayError,
  type Plugin,
  type PluginVersion,
  type PluginView,
  type SecretInfo,
  type SecretQuestion,
} from "../../contract/index.ts";
import { type Agents, modelLabel } from "../agents/index.ts";
import type { InstalledAdvice, LinkedFolders, RegistryIcons } from "../catalog/index.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { Checks } from "../pool/check/checks.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { givenTo, notGiven } from "../registry/given-secrets.ts";
import { type AgentPlugins, type AgentStore, newRow, type PluginRegistry } from "../registry/index.ts";
import type { Pins } from "../registry/pins/pins.ts";
import { ownersOf } from "../registry/secret-owners.ts";
import { secretsSet } from "../registry/settings/secret-fields.ts";
import { settingsOf, withoutUnneeded, withSchemaDefaults } from "../registry/settings/settings-of.ts";
import { findReferences, type Vault } from "../secrets/index.ts";
import { readRecord } from "../setup/persist/record.ts";
import type { LoadChecks } from "./load-checks.ts";

export interface ViewSources {
  registry: Pick<PluginRegistry, "get" | "list">;
  agents: Pick<AgentStore, "get" | "list">;
  agentPlugins: Pick<AgentPlugins, "get" | "list">;
  pool: Pick<PluginPool, "view">;
  vault: Pick<Vault, "has" | "list">;
  permissions: Pick<Permissions, "sum">;
  loadChecks: Pick<LoadChecks, "problemOf">;
  linked: Pick<LinkedFolders, "grown">;
  pins: Pick<Pins, "toLookAt">;
  advice: Pick<InstalledAdvice, "on">;
  checks: Pick<Checks, "view">;
  icons: Pick<RegistryIcons, "on">;
  work: { channels: { people: Pick<Agents["channels"]["people"], "ruleOf"> } };
}

/** What a screen needs of one thing, put together from the services that know a part of it. */
export class Views {
  private readonly from: ViewSources;

  constructor(sources: ViewSources) {
    this.from = sources;
  }

  plugin(plugin: Plugin): PluginView {
    const { agents, agentPlugins, loadChecks, linked } = this.from;
    const key = plugin.manifestKey;
    const toLookAt = this.from.pins.toLookAt(key);
    const advice = this.from.advice.on(plugin);
    const check = this.from.checks.view(plugin);
    const icon = plugin.declaration.icon ?? this.from.icons.on(plugin);
    return {
      ...plugin,
      ...(icon && { declaration: { ...plugin.declaration, icon } }),
      previous: plugin.previous.map(withoutWords),
      loadProblem: loadChecks.problemOf(key),
      grown: [...linked.grown(key)],
      ...(toLookAt > 0 && { toLookAt }),
      ...(advice && { advice }),
      ...(check && { check }),
      enabledFor: agents
        .list()
        .filter((agent) => agentPlugins.get(agent.id, key)?.enabled)
        .map((agent) => agent.id),
    };
  }

  /** @throws PatchbayError PLUGIN_NOT_FOUND */
  pluginByKey(key: string): PluginView {
    const plugin = this.from.registry.get(key);
    if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed.`);
    return this.plugin(plugin);
  }

  /** The row of an agent for a plugin. */
  agentPlugin(agentId: string, row: AgentPluginRow): AgentPluginView {
    const plugin = this.from.registry.get(row.pluginKey);
    return { ...this.agentPluginState(agentId, row), plugin: plugin ? this.plugin(plugin) : null };
  }

  /** The same without the plugin itself, for many rows at once. */
  agentPluginState(agentId: string, row: AgentPluginRow): AgentPluginState {
    const { registry, pool, vault, permissions, work } = this.from;
    const plugin = registry.get(row.pluginKey);
    const strangers = work.channels.people.ruleOf(agentId, row.pluginKey);
    const seen = permissions.sum(agentId, row.pluginKey);
    const given = givenTo(row);
    const isStored = (name: string) => given.has(name) && vault.has(name, agentId);
    const questions = plugin ? this.#secretQuestions(agentId, row, plugin) : [];
    return {
      ...row,
      agentId,
      instance: pool.view(agentId, row.pluginKey),
      secretsSet: plugin ? secretsSet(plugin, row.config, isStored) : {},
      ...(seen && { seen }),
      ...(strangers && { strangers }),
      ...(questions.length > 0 && { secretQuestions: questions }),
    };
  }

  /** The stored secrets that a plugin names and that were not given to it. */
  #secretQuestions(agentId: string, row: AgentPluginRow, plugin: Plugin): SecretQuestion[] {
    const { config, refused } = row;
    const settings = withSchemaDefaults(plugin.declaration, settingsOf(config, plugin));
    const isStored = (name: string) => this.from.vault.has(name, agentId);
    return notGiven(plugin, settings, givenTo(row), isStored).map((name) => ({
      name,
      givenTo: ownersOf(this.from, agentId, name, row.pluginKey),
      refused: refused?.includes(name) === true,
    }));
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND when there is neither a row nor such a plugin */
  agentPluginByKey(agentId: string, key: string): AgentPluginView {
    this.agentById(agentId);
    const row = this.from.agentPlugins.get(agentId, key);
    if (row) return this.agentPlugin(agentId, row);
    const plugin = this.pluginByKey(key);
    return this.agentPlugin(agentId, newRow(plugin.manifestKey, plugin.createdAt));
  }

  /** Every installed plugin, touched or not, and rows whose plugin is gone. @throws PatchbayError AGENT_NOT_FOUND */
  agentPlugins(agentId: string): AgentPluginView[] {
    this.agentById(agentId);
    const rows = new Map(this.from.agentPlugins.list(agentId).map((row) => [row.pluginKey, row]));
    for (const plugin of this.from.registry.list())
      if (!rows.has(plugin.manifestKey))
        rows.set(plugin.manifestKey, newRow(plugin.manifestKey, plugin.createdAt));
    return [...rows.values()]
      .sort((left, right) => left.pluginKey.localeCompare(right.pluginKey))
      .map((row) => this.agentPlugin(agentId, row));
  }

  agent(agent: Agent): AgentView {
    const { agentPlugins, registry, pool } = this.from;
    const on = agentPlugins.list(agent.id).filter((row) => row.enabled && registry.get(row.pluginKey));
    const states = on.map((row) => pool.view(agent.id, row.pluginKey).state);
    const problem = states.some((state) => problemStates.has(state));
    return {
      ...agent,
      pluginsOn: on.length,
      worst: problem ? "problem" : states.includes("needs_setup") ? "needs_setup" : "ok",
      modelLabel: modelLabel(agent.model),
    };
  }

  /** @throws PatchbayError AGENT_NOT_FOUND */
  agentById(agentId: string): AgentView {
    const agent = this.from.agents.get(agentId);
    if (!agent) throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent with the id ${agentId}.`);
    return this.agent(agent);
  }

  plugins(): PluginView[] {
    return this.from.registry.list().map((plugin) => this.plugin(plugin));
  }

  secrets(): SecretInfo[] {
    const uses = this.secretUses((row) => [...givenTo(row)]);
    return this.from.vault.list().map((secret) => ({
      ...secret,
      usedBy: uses
        .filter(
          (use) => use.name === secret.name && (secret.agentId === null || secret.agentId === use.agentId),
        )
        .map(({ agentId, pluginKey }) => ({ agentId, pluginKey })),
    }));
  }

  /** Secrets that something refers to and that are not stored, sorted by name. */
  missingSecrets(): MissingSecret[] {
    const { vault, registry } = this.from;
    const needed = ({ config, pluginKey }: AgentPluginRow, agentId: string) => {
      const plugin = registry.get(pluginKey);
      if (!plugin) return findReferences(config);
      return findReferences(withoutUnneeded(config, plugin, (name) => vault.has(name, agentId)));
    };
    const missing = this.secretUses(needed).filter(({ name, agentId }) => !vault.has(name, agentId));
    return [...Map.groupBy(missing, ({ name }) => name)]
      .map(([name, uses]) => ({
        name,
        neededBy: uses.map(({ agentId, pluginKey }) => ({ agentId, pluginKey })),
      }))
      .sort((left, right) => left.name.localeCompare(right.name));
  }

  /** @param named the names of a row's own secrets, besides those that Patchbay keeps for it */
  private secretUses(
    named: (row: AgentPluginRow, agentId: string) => string[],
  ): { name: string; agentId: string; pluginKey: string | null }[] {
    const { agents, agentPlugins } = this.from;
    return agents.list().flatMap((agent) => [
      ...findReferences([agent.model, agent.voice]).map((name) => ({
        name,
        agentId: agent.id,
        pluginKey: null,
      })),
      ...agentPlugins.list(agent.id).flatMap((row) =>
        [...new Set([...named(row, agent.id), ...keptNames(row)])].map((name) => ({
          name,
          agentId: agent.id,
          pluginKey: row.pluginKey,
        })),
      ),
    ]);
  }
}

/** The names of the entries that hold a row's profiles and its sign-in. */
function keptNames(row: AgentPluginRow): string[] {
  const { finished } = readRecord(row);
  return [finished?.credentials, finished?.grant].filter((name) => typeof name === "string");
}

const problemStates = new Set(["failed", "quarantined", "degraded"]);

/** Screens show the texts of the installed version alone. */
function withoutWords(version: PluginVersion): PluginVersion {
  if (version.declaration.words === undefined) return version;
  const { words, ...declaration } = version.declaration;
  return { ...version, declaration };
}
