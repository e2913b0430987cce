import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { AgentStore } from "../../registry/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

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
    create: area.create.handler(async ({ input }) => views.agent(await owner.agents.create(input))),
    update: area.update.handler(async ({ input: { agentId, ...patch } }) =>
      views.agent(await owner.agents.update(agentId, patch)),
    ),
    remove: area.remove.handler(({ input: { agentId } }) => owner.agents.forget(agentId).then(() => done)),
  };
}
