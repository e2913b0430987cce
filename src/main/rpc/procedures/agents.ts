import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import { withOrigins } from "../../agents/tools/rules.ts";
import type { AgentStore } from "../../registry/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";
import { originOf } from "../rule-place.ts";

export interface AgentNeeds {
  agents: Pick<AgentStore, "list">;
  owner: Pick<AgentPluginService, "agents">;
  views: Pick<Views, "agent" | "agentById">;
}

export function agentProcedures({ agents, owner, views }: AgentNeeds) {
  const area = procedures.agents;
  return {
    list: area.list.handler(() => agents.list().map((agent) => views.agent(agent))),
    get: area.get.handler(({ input }) => views.agentById(input.agentId)),
    create: area.create.handler(async ({ input, context }) => {
      const policy = withOrigins([], input.policy, originOf(context.caller));
      return views.agent(await owner.agents.create({ ...input, policy }));
    }),
    update: area.update.handler(async ({ input: { agentId, ...patch }, context }) => {
      const policy =
        patch.policy && withOrigins(views.agentById(agentId).policy, patch.policy, originOf(context.caller));
      return views.agent(await owner.agents.update(agentId, { ...patch, ...(policy && { policy }) }));
    }),
    remove: area.remove.handler(({ input: { agentId } }) => owner.agents.forget(agentId).then(() => done)),
  };
}
