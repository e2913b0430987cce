import {
  AgentPluginService,
  type AgentPluginServiceOptions,
} from "../../agent-plugins/agent-plugin-service.ts";
import type { Agents } from "../../agents/index.ts";
import type { Grants } from "../../setup/persist/grants.ts";

type OwnerNeeds = Omit<AgentPluginServiceOptions, "deactivate" | "clock"> & {
  grants: Pick<Grants, "close">;
  work: Pick<Agents, "deactivate">;
};

/** The owner of what a person does to an agent's plugin. */
export function openAgentPlugins(
  { work, ...needs }: OwnerNeeds,
  stack: AsyncDisposableStack,
): AgentPluginService {
  const owner = new AgentPluginService({ ...needs, deactivate: (agentId) => work.deactivate(agentId) });
  // Closing the sign-ins first stops what the owner asks of providers.
  stack.defer(() => owner.close());
  stack.defer(() => needs.grants.close());
  return owner;
}
