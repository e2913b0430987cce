import type { Agent, Caller, ToolInfo, ToolRight, ToolRights } from "../../../contract/index.ts";
import type { PluginTrust } from "../ports.ts";
import { decidePolicy, type PolicyVerdict } from "./policy.ts";
import type { FoundTool } from "./tool-catalog.ts";

const owner: Caller = { kind: "owner" };

/** What the agent's policy says of a call. */
export function verdictOn(agent: Agent, found: FoundTool, caller: Caller, trust: PluginTrust): PolicyVerdict {
  return decidePolicy(agent.policy, {
    tool: found.info,
    caller,
    trust: found.kind === "plugin" ? (trust.get(found.owner)?.trust ?? "unverified") : null,
    dangerous: found.kind === "builtin" && found.tool.dangerous,
  });
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
