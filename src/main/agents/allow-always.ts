import type { Approval, RuleOrigin } from "../../contract/index.ts";
import type { AgentDirectory } from "./ports.ts";
import { allowFromNowOn } from "./tools/rules.ts";

/** Stores the rule of an answer "Always": exactly this tool, for whoever made the call, and nothing wider. */
export async function allowAlways(
  agents: AgentDirectory,
  { agentId, tool, caller }: Approval,
  origin: RuleOrigin,
): Promise<void> {
  const agent = agents.get(agentId);
  if (!agent) return;
  await agents.update(agentId, { policy: allowFromNowOn(agent.policy, tool, caller, origin) });
}
