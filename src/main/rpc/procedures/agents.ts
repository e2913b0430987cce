import { endCredentials } from "../../setup/end-credentials.ts";
import { done, procedures } from "../implementer.ts";
import type { Services } from "../services.ts";

export function agentProcedures(services: Services) {
  const { agents, views, audit } = services;
  const area = procedures.agents;
  return {
    list: area.list.handler(() => agents.list().map((agent) => views.agent(agent))),
    get: area.get.handler(({ input }) => views.agentById(input.agentId)),
    create: area.create.handler(({ input }) => {
      const agent = agents.create(input);
      audit.record({ kind: "agent.created", agentId: agent.id });
      return views.agent(agent);
    }),
    update: area.update.handler(({ input: { agentId, ...patch } }) => {
      const agent = agents.update(agentId, patch);
      audit.record({ kind: "agent.updated", agentId, fields: Object.keys(patch) });
      return views.agent(agent);
    }),
    remove: area.remove.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      await removeAgent(services, agentId);
      return done;
    }),
  };
}

/** What runs for the agent ends first, so that nothing writes into a folder that is about to go. */
async function removeAgent(services: Services, agentId: string): Promise<void> {
  const { agents, agentPlugins, pool, work, vault, audit } = services;
  await work.deactivate(agentId);
  await pool.stopAgent(agentId);
  await Promise.all(
    agentPlugins.list(agentId).map(({ pluginKey }) => endCredentials(services, agentId, pluginKey)),
  );
  agentPlugins.removeAgent(agentId);
  agents.remove(agentId);
  await vault.removeAgent(agentId);
  audit.record({ kind: "agent.removed", agentId });
}
