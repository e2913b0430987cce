import { isObject } from "../../../contract/is-object.ts";
import type { ChannelRights, PeopleStore } from "../../agents/index.ts";
import type { AgentPlugins, PluginRegistry } from "../../registry/index.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";

interface RightNeeds {
  runtimes: readonly Pick<PluginRuntime, "id" | "roleOf" | "rulesOf">[];
  registry: Pick<PluginRegistry, "get">;
  agentPlugins: Pick<AgentPlugins, "get">;
}

/** Reads what people of a channel may do from the person's stored settings, at each question anew. */
export function channelRights({ runtimes, registry, agentPlugins }: RightNeeds): ChannelRights {
  return {
    roleOf(agentId, key, userId) {
      const runtime = runtimes.find(({ id }) => id === registry.get(key)?.runtime);
      const row = agentPlugins.get(agentId, key);
      const letIn = row?.people?.find((person) => person.userId === userId.trim())?.status;
      return (
        runtime?.roleOf?.(row?.config ?? {}, userId) ??
        (letIn === "owner" || letIn === "user" ? letIn : undefined)
      );
    },
    rulesOf(agentId, key) {
      const plugin = registry.get(key);
      const runtime = runtimes.find(({ id }) => id === plugin?.runtime);
      if (!plugin || !runtime?.rulesOf) return null;
      return runtime.rulesOf(plugin.declaration, agentPlugins.get(agentId, key)?.config ?? {});
    },
    mayDecide(agentId, key) {
      const row = agentPlugins.get(agentId, key);
      return row !== undefined && (row.decidesApprovals ?? namesOwners(row.config));
    },
  };
}

/** People of channels, as they stand in the rows. */
export function channelPeople(agentPlugins: Pick<AgentPlugins, "get" | "amend" | "changes">): PeopleStore {
  return {
    of: (agentId, key) => agentPlugins.get(agentId, key)?.people ?? [],
    change: (agentId, key, edit) =>
      agentPlugins.amend(agentId, key, (row) => row && { ...row, people: edit(row.people ?? []) }),
    onChange(listener) {
      agentPlugins.changes.on("row", listener);
      return () => agentPlugins.changes.off("row", listener);
    },
  };
}

/** For rows of versions in which naming owners was how deciding from a chat was allowed. */
function namesOwners({ channel }: Record<string, unknown>): boolean {
  if (!isObject(channel)) return false;
  return [channel.owners, channel.patchbay_owners].some((list) => Array.isArray(list) && list.length > 0);
}
