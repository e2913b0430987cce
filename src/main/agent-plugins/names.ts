import type { Agent, AgentPluginRow, Plugin } from "../../contract/index.ts";
import { secretName } from "../registry/secret-fields.ts";
import { findReferences } from "../secrets/index.ts";
import { readRecord } from "../setup/persist/record.ts";

export interface NameSources {
  agents: { get(agentId: string): Agent | undefined };
  agentPlugins: { list(agentId: string): readonly AgentPluginRow[] };
  registry: { get(key: string): Plugin | undefined };
}

/** The names in the vault that a row refers to: in its settings, and for what its setup and its sign-in keep. */
export function namesOfRow(row: NamingRow, plugin: Plugin | undefined): string[] {
  const { finished } = readRecord(row);
  const kept = [finished?.credentials, finished?.grant].filter((name) => typeof name === "string");
  return [...findReferences(settingsOf(row.config, plugin)), ...kept];
}

/**
 * The default vault name of a plugin's profiles, which is used while the row names none; empty when the row names one.
 */
export function unsaidNames(row: NamingRow): string[] {
  return readRecord(row).finished?.credentials ? [] : [secretName(row.pluginKey, "credentials")];
}

type NamingRow = Pick<AgentPluginRow, "pluginKey" | "config" | "setupState">;

/** What the plugin runs with: its own defaults, until somebody has set something. */
export function settingsOf(
  config: Record<string, unknown> | undefined,
  plugin: Plugin | undefined,
): Record<string, unknown> {
  if (config && Object.keys(config).length > 0) return config;
  return plugin?.declaration.defaultConfig ?? {};
}

/** The names that the rows of an agent, or its model, refer to. */
export function namesInUse({ agents, agentPlugins, registry }: NameSources, agentId: string): Set<string> {
  const names = agentPlugins.list(agentId).flatMap((row) => namesOfRow(row, registry.get(row.pluginKey)));
  return new Set([...findReferences(agents.get(agentId)?.model), ...names]);
}
