import { isObject } from "../../../contract/is-object.ts";
import type { ChannelRights } from "../../agents/index.ts";
import type { AgentPlugins, PluginRegistry } from "../../registry/index.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";

interface RightNeeds {
  runtimes: readonly Pick<PluginRuntime, "id" | "roleOf">[];
  registry: Pick<PluginRegistry, "get">;
  agentPlugins: Pick<AgentPlugins, "get">;
}

/** Reads what people of a channel may do from the person's stored settings, at each question anew. */
export function channelRights({ runtimes, registry, agentPlugins }: RightNeeds): ChannelRights {
  return {
    roleOf(agentId, key, userId) {
      const runtime = runtimes.find(({ id }) => id === registry.get(key)?.runtime);
      return runtime?.roleOf?.(agentPlugins.get(agentId, key)?.config ?? {}, userId);
    },
    mayDecide(agentId, key) {
      const row = agentPlugins.get(agentId, key);
      return row !== undefined && (row.decidesApprovals ?? namesOwners(row.config));
    },
  };
}

/** For rows of versions in which naming owners was how deciding from a chat was allowed. */
function namesOwners({ channel }: Record<string, unknown>): boolean {
  if (!isObject(channel)) return false;
  return [channel.owners, channel.patchbay_owners].some((list) => Array.isArray(list) && list.length > 0);
}
