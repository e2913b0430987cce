import type { Approval, RuleOrigin } from "../../contract/index.ts";
import type { AgentDirectory } from "./ports.ts";
import { allowFromNowOn } from "./tools/rules.ts";

/** Stores the rule of an answer "Always": exactly this tool, for whoever made the call, and nothing wider. */
export async function allowAlways(
  agents: AgentDirectory,
  { agentId, tool, caller }: Approval,
  origin: RuleOrigin,
): Promise<void> {
  if (!agents.get(agentId)) return;
  await agents.revise(agentId, ({ policy }) => ({ policy: allowFromNowOn(policy, tool, caller, origin) }));
}
