import type { AgentPluginService } from "../agent-plugins/agent-plugin-service.ts";
import type { Platform } from "../platform/platform.ts";
import type { AgentPlugins, AgentStore, PluginRegistry } from "../registry/index.ts";

interface ListenerSources {
  platform: Pick<Platform, "shell">;
  agents: Pick<AgentStore, "get">;
  agentPlugins: Pick<AgentPlugins, "list">;
  registry: Pick<PluginRegistry, "get">;
  owner: Pick<AgentPluginService, "settle">;
}

/**
 * Resolves for an agent when its plugins with hooks, commands or a channel have started or failed to. A turn waits for
 * it, so that a guard's hook is there before the first tool call.
 */
export function startsListeners({
  platform,
  agents,
  agentPlugins,
  registry,
  owner,
}: ListenerSources): (agentId: string) => Promise<void> {
  const started = new Map<string, Promise<unknown>>();

  function start(agentId: string): Promise<unknown> {
    const listening = agentPlugins.list(agentId).filter((row) => {
      const capabilities = row.enabled && registry.get(row.pluginKey)?.capabilities;
      if (!capabilities) return false;
      // At the command line no channel is started: it would take messages and end with the command before it answers
      // them.
      return (
        capabilities.hooks || capabilities.commands || (capabilities.channel && platform.shell !== "cli")
      );
    });
    return Promise.all(listening.map((row) => owner.settle(agentId, row.pluginKey)));
  }

  return async (agentId) => {
    if (!agents.get(agentId)) return;
    let ready = started.get(agentId);
    if (!ready) {
      ready = start(agentId);
      started.set(agentId, ready);
    }
    await ready;
  };
}
