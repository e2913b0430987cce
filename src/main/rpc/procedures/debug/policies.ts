import type { PolicyRule } from "../../../../contract/index.ts";
import type { AgentPluginService } from "../../../agent-plugins/agent-plugin-service.ts";
import type { Agents } from "../../../agents/index.ts";
import { withRule } from "../../../agents/policies/compare.ts";
import type { Policies } from "../../../agents/policies/policies.ts";
import { procedures } from "../../implementer.ts";
import { originOf } from "../../rule-place.ts";

export interface PolicyNeeds {
  policies: Pick<Policies, "overview" | "explain" | "why" | "preview" | "takeBack">;
  approvals: Pick<Agents["approvals"], "sessionGrants">;
  owner: { agents: Pick<AgentPluginService["agents"], "changeRules"> };
  /** Resolves when the agent's plugins with hooks, commands or channels have started or failed to. */
  ready(agentId: string): Promise<void>;
}

export function policyProcedures({ policies, approvals, owner: { agents }, ready }: PolicyNeeds) {
  const area = procedures.policies;
  const overview = async (agentId: string) => {
    await ready(agentId);
    return policies.overview(agentId);
  };
  const change = async (
    agentId: string,
    about: readonly (Pick<PolicyRule, "tool"> | null)[],
    edit: (rules: readonly PolicyRule[]) => PolicyRule[],
  ) => {
    await agents.changeRules(agentId, edit);
    // What the person says of a tool now holds in open conversations too.
    for (const rule of about) if (rule) approvals.sessionGrants.endOf(agentId, rule.tool);
    return overview(agentId);
  };
  return {
    overview: area.overview.handler(({ input: { agentId } }) => overview(agentId)),
    explain: area.explain.handler(async ({ input: { agentId, ...question } }) => {
      await ready(agentId);
      return policies.explain(agentId, question);
    }),
    call: area.call.handler(({ input: { agentId, sessionId, turnId, toolCallId } }) =>
      policies.why(agentId, sessionId, turnId, toolCallId),
    ),
    preview: area.preview.handler(async ({ input: { agentId, rule, replaces } }) => {
      await ready(agentId);
      return policies.preview(agentId, rule, replaces);
    }),
    set: area.set.handler(({ input: { agentId, rule, replaces }, context }) => {
      const origin = originOf(context.caller, "tools");
      return change(agentId, [rule, replaces], (rules) => withRule(rules, { ...rule, origin }, replaces));
    }),
    remove: area.remove.handler(({ input: { agentId, rule } }) =>
      change(agentId, [rule], (rules) => withRule(rules, null, rule)),
    ),
    takeBack: area.takeBack.handler(({ input: { agentId, sessionId, tool, caller } }) => {
      policies.takeBack(agentId, sessionId, tool, caller);
      return overview(agentId);
    }),
  };
}
