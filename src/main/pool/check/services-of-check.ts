import { type Agent, type AgentPluginRow, PatchbayError, type Plugin } from "../../../contract/index.ts";
import { newRow } from "../../registry/index.ts";
import { servicesApart } from "../aside/services-apart.ts";
import type { PoolOptions } from "../ports.ts";

/** Stands where an agent's id does for a start that is for no agent. No agent can have it. */
const NOBODY = "(no agent)";

/** Whose settings a start for a look uses: those of an agent, or the defaults. */
export interface CheckPlace {
  agentId: string;
  row: AgentPluginRow;
  isAgents: boolean;
}

/** The places whose settings are tried, the best first: agents that use it, agents that have settings for it, nobody. */
export function placesOf({ agents, agentPlugins }: PoolOptions, { manifestKey: key }: Plugin): CheckPlace[] {
  const rows = agents.list().flatMap(({ id: agentId }): CheckPlace[] => {
    const row = agentPlugins.get(agentId, key);
    const isSet = row && (row.enabled || Object.keys(row.config).length > 0 || row.setupState !== null);
    return isSet ? [{ agentId, row, isAgents: true }] : [];
  });
  rows.sort((one, other) => Number(other.row.enabled) - Number(one.row.enabled));
  const nobody = { agentId: NOBODY, row: newRow(key, new Date(0).toISOString()), isAgents: false };
  return [...rows, nobody];
}

/**
 * What a plugin is given that is started for a look: the settings and secrets of its place, an empty folder instead of a
 * workspace, and nobody to ask. What it says is taken down; all else that it does is noted nowhere but in the audit log.
 */
export function servicesOfCheck(
  options: PoolOptions,
  { agentId, row, isAgents }: CheckPlace,
  workspace: string,
): PoolOptions {
  const { code: _code, ...apart } = servicesApart(options);
  const { agents, agentPlugins, permissions } = options;
  const on = { ...row, enabled: true };
  const agent = (id: string): Agent | undefined => {
    const own = isAgents ? agents.get(id) : nobody;
    return own && { ...own, workspace };
  };
  return {
    ...apart,
    ...(options.pins && { pins: options.pins }),
    agents: { list: () => agents.list(), get: agent, changes: agents.changes },
    agentPlugins: {
      ...apart.agentPlugins,
      list: (id) => agentPlugins.list(id),
      get: (id, key) => (id === agentId && key === row.pluginKey ? on : agentPlugins.get(id, key)),
    },
    permissions: {
      of: (...of) => permissions.of(...of),
      walls: (id, plugin, tell) => permissions.walls(id, plugin, tell, { asks: false }),
    },
    ...(isAgents ? { oauthToken: (...token) => options.oauthToken(...token) } : nobodysSecrets),
    ask: async () => null,
  };
}

const nobodysSecrets: Pick<PoolOptions, "oauthToken" | "signedIn" | "credentials"> = {
  signedIn: () => false,
  oauthToken: async () => {
    throw new PatchbayError("NEEDS_SETUP", "Nobody has signed in for it.");
  },
  credentials: () => ({ get: async () => null, set: async () => {} }),
};

const nobody: Agent = {
  id: NOBODY,
  name: NOBODY,
  instructions: "",
  model: { kind: "none" },
  workspace: "",
  policy: [],
  maxSteps: 1,
  revision: 0,
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
};
