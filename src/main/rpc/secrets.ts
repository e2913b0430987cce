import { PatchbayError } from "../../contract/index.ts";
import { done, procedures } from "./implementer.ts";
import type { Services } from "./services.ts";

export function secretProcedures({ vault, views, agents, audit }: Services) {
  const area = procedures.secrets;
  return {
    list: area.list.handler(() => views.secrets()),
    set: area.set.handler(async ({ input: { name, value, agentId } }) => {
      if (agentId !== null && !agents.get(agentId))
        throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent with the id ${agentId}.`);
      await vault.set(name, agentId, value);
      audit.record({ kind: "secret.set", name, ...(agentId !== null && { agentId }) });
      return done;
    }),
    remove: area.remove.handler(async ({ input: { name, agentId } }) => {
      await vault.remove(name, agentId);
      audit.record({ kind: "secret.removed", name, ...(agentId !== null && { agentId }) });
      return done;
    }),
  };
}
