import type { Agent, Caller, ToolInfo, ToolRight, ToolRights } from "../../../contract/index.ts";
import type { PluginTrust } from "../ports.ts";
import { decidePolicy, type PolicySubject, type PolicyVerdict } from "./policy.ts";
import type { FoundTool } from "./tool-catalog.ts";

const owner: Caller = { kind: "owner" };

/** What the agent's policy says of a call. */
export function verdictOn(
  agent: Pick<Agent, "policy">,
  found: FoundTool,
  caller: Caller,
  trust: PluginTrust,
): PolicyVerdict {
  return decidePolicy(agent.policy, subjectOf(found, caller, trust));
}

/** What a policy has to know of a call. */
export function subjectOf(found: FoundTool, caller: Caller, trust: PluginTrust): PolicySubject {
  return {
    tool: found.info,
    caller,
    trust: found.kind === "plugin" ? (trust.get(found.owner)?.trust ?? "unverified") : null,
    dangerous: found.kind === "builtin" && found.tool.dangerous,
  };
}

/** Whether the model is told of a tool when this caller asks, where the policy does not deny it. */
export function isThereFor(found: FoundTool, caller: Caller): boolean {
  if (found.info.passes) return false;
  return caller.kind === "channel" || found.kind !== "builtin" || found.tool.inChatsOnly !== true;
}
/** Each tool with what decides about it when the owner asks. */
export function rightsOf(
  agent: Agent,
  tools: readonly ToolInfo[],
  find: (name: string) => FoundTool | undefined,
  trust: PluginTrust,
): ToolRights {
  const rights = tools.flatMap(({ name }): ToolRight[] => {
    const found = find(name);
    if (!found) return [];
    const { effect, by } = verdictOn(agent, found, owner, trust);
    const byDefault = verdictOn({ ...agent, policy: [] }, found, owner, trust).why ?? "plugin";
    const inChatsOnly = found.kind === "builtin" && found.tool.inChatsOnly === true;
    return [{ ...found.info, effect, rule: by ?? null, byDefault, inChatsOnly }];
  });
  return { tools: rights, rules: agent.policy };
}
