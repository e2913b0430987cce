import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function agentProcedures({
  agents,
  agentPluginService: owner,
  views,
  work,
  audit,
}: Needs<"agents" | "agentPluginService" | "views" | "work" | "audit">) {
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
