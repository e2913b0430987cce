import type { ContractRouterClient } from "@orpc/contract";
import type { AgentView, Contract } from "../../contract/index.ts";

/**
 * Tells `onAgents` all agents now and after every change of one, until `signal` aborts.
 * @throws whatever the core answers when it ends by itself
 */
export async function watchAgents(
  core: ContractRouterClient<Contract>,
  onAgents: (agents: AgentView[]) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const snapshot = await core.app.snapshot(undefined, { signal });
    const agents = new Map(snapshot.agents.map((agent) => [agent.id, agent]));
    onAgents([...agents.values()]);
    const events = await core.app.events({ epoch: snapshot.epoch, seq: snapshot.seq }, { signal });
    for await (const event of events) {
      if (event.type === "resync") break;
      if (event.type !== "changes") continue;
      let changed = false;
      for (const change of event.changes) {
        if (change.type === "agent") agents.set(change.agent.id, change.agent);
        else if (change.type === "agent_removed") agents.delete(change.agentId);
        else continue;
        changed = true;
      }
      if (changed) onAgents([...agents.values()]);
    }
  }
}
