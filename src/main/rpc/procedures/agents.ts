import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { Agents } from "../../agents/index.ts";
import type { AgentStore } from "../../registry/index.ts";
import type { AuditLog } from "../../store/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface AgentNeeds {
  agents: Pick<AgentStore, "list" | "create" | "update">;
  owner: Pick<AgentPluginService, "forgetAgent">;
  views: Pick<Views, "agent" | "agentById">;
  work: Pick<Agents, "deactivate">;
  audit: Pick<AuditLog, "record">;
}

export function agentProcedures({ agents, owner, views, work, audit }: AgentNeeds) {
  const area = procedures.agents;
  return {
    list: area.list.handler(() => agents.list().map((agent) => views.agent(agent))),
    get: area.get.handler(({ input }) => views.agentById(input.agentId)),
    create: area.create.handler(async ({ input }) => {
      const agent = await agents.create(input);
      audit.record({ kind: "agent.created", agentId: agent.id });
      return views.agent(agent);
    }),
    update: area.update.handler(async ({ input: { agentId, ...patch } }) => {
      const agent = await agents.update(agentId, patch);
      audit.record({ kind: "agent.updated", agentId, fields: Object.keys(patch) });
      return views.agent(agent);
    }),
    remove: area.remove.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      // What runs for the agent ends first, so that nothing writes into a folder that is about to go.
      await work.deactivate(agentId);
      await owner.forgetAgent(agentId);
      return done;
    }),
  };
}
