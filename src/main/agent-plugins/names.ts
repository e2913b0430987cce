import type { Agent, AgentPluginRow, WorkingSettings } from "../../contract/index.ts";
import { givenTo } from "../registry/given-secrets.ts";
import { secretName } from "../registry/settings/secret-fields.ts";
import { findReferences } from "../secrets/index.ts";
import { readRecord } from "../setup/persist/record.ts";

export interface NameSources {
  agents: { get(agentId: string): Agent | undefined };
  agentPlugins: { list(agentId: string): readonly AgentPluginRow[] };
}

/**
 * The names in the vault that belong to a row: what it was given, what its setup and its sign-in keep, and what the
 * settings need that are kept beside its own.
 */
export function namesOfRow(row: NamingRow): string[] {
  const { finished } = readRecord(row);
  const kept = [finished?.credentials, finished?.grant].filter((name) => typeof name === "string");
  const beside = [row.working, row.refusedSettings].filter((settings) => settings !== undefined);
  return [...givenTo(row), ...kept, ...beside.flatMap(namesOfSettings)];
}

function namesOfSettings({ config, given }: WorkingSettings): string[] {
  return [...given, ...findReferences(config)];
}

/**
 * The default vault name of a plugin's profiles, which is used while the row names none; empty when the row names one.
 */
export function unsaidNames(row: NamingRow): string[] {
  return readRecord(row).finished?.credentials ? [] : [secretName(row.pluginKey, "credentials")];
}

type NamingRow = Pick<
  AgentPluginRow,
  "pluginKey" | "config" | "given" | "setupState" | "working" | "refusedSettings"
>;

/** The names that belong to the rows of an agent, or that its model or its voice refers to. */
export function namesInUse({ agents, agentPlugins }: NameSources, agentId: string): Set<string> {
  const names = agentPlugins.list(agentId).flatMap(namesOfRow);
  const { model, voice } = agents.get(agentId) ?? {};
  return new Set([...findReferences([model, voice]), ...names]);
}
