import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function agentProcedures({
  agents,
  agentPluginService: owner,
  views,
}: Needs<"agents" | "agentPluginService" | "views">) {
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
