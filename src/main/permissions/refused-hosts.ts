import type { AgentPlugins, PluginRegistry } from "../registry/index.ts";
import { settingsOf } from "../registry/settings/settings-of.ts";
import type { Permissions } from "./permissions.ts";
import { type RefusedCall, type RefusedHost, refusedHost } from "./refused-host.ts";

export interface RefusedHostSources {
  registry: Pick<PluginRegistry, "get">;
  agentPlugins: Pick<AgentPlugins, "get">;
  permissions: Pick<Permissions, "of" | "seen">;
}

type Failed = Pick<RefusedCall, "said" | "inputs" | "since"> & { agentId: string; pluginKey: string };

/** Judges which host a failed call may be helped by, from what is installed, set and refused at that moment. */
export function refusedHosts({ registry, agentPlugins, permissions }: RefusedHostSources) {
  return ({ agentId, pluginKey, ...call }: Failed): (RefusedHost & { plugin: string }) | null => {
    const plugin = registry.get(pluginKey);
    if (!plugin) return null;
    const found = refusedHost({
      ...call,
      plugin,
      config: settingsOf(agentPlugins.get(agentId, pluginKey)?.config, plugin),
      network: permissions.of(agentId, plugin).network,
      refused: permissions.seen(agentId, pluginKey).refused,
    });
    return found && { plugin: plugin.displayName, ...found };
  };
}
