import type { Agent, AgentPluginRow, Plugin } from "../../contract/index.ts";
import { findReferences } from "../secrets/references.ts";
import { givenTo } from "./given-secrets.ts";

export interface OwnerSources {
  agents: { list(): readonly Agent[] };
  agentPlugins: { list(agentId: string): readonly AgentPluginRow[] };
  registry: { get(key: string): Plugin | undefined };
  vault: { list(): readonly { name: string; agentId: string | null }[] };
}

/**
 * Who has been given the secret that an agent's plugin would get under a name, in words: display names of plugins, and
 * "the model of …" for an agent's model. `except`: the plugin that asks.
 */
export function ownersOf(
  { agents, agentPlugins, registry, vault }: OwnerSources,
  agentId: string,
  name: string,
  except: string,
): string[] {
  const isOwn = vault.list().some((secret) => secret.name === name && secret.agentId === agentId);
  const owners = agents
    .list()
    .filter(({ id }) => !isOwn || id === agentId)
    .flatMap((agent) => [
      ...agentPlugins
        .list(agent.id)
        .filter((row) => row.pluginKey !== except && givenTo(row).has(name))
        .map(({ pluginKey, gone }) => registry.get(pluginKey)?.displayName ?? gone?.displayName ?? pluginKey),
      ...(findReferences(agent.model).includes(name) ? [`the model of ${agent.name}`] : []),
      ...(findReferences(agent.voice).includes(name) ? [`the voice of ${agent.name}`] : []),
    ]);
  return [...new Set(owners)];
}
