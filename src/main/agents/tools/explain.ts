import type { Agent, Caller, Judgement, LostReason, PolicyRule } from "../../../contract/index.ts";
import type { PluginTrust } from "../ports.ts";
import { byDefault, covers, names, needsItsName, type PolicySubject, stronger } from "./policy.ts";
import { subjectOf } from "./rights.ts";
import type { FoundTool } from "./tool-catalog.ts";

/** Why the agent's policy says what `verdictOn` says of a call. */
export function explain(
  agent: Pick<Agent, "policy">,
  found: FoundTool,
  caller: Caller,
  trust: PluginTrust,
): Judgement {
  return explainPolicy(agent.policy, subjectOf(found, caller, trust));
}

/** The same as `decidePolicy`, with every rule that names the tool and why it did not decide. */
export function explainPolicy(rules: readonly PolicyRule[], subject: PolicySubject): Judgement {
  const naming = inOrder(rules.filter((rule) => covers(rule.tool, subject.tool.name)));
  const winner = naming.find((rule) => isFor(rule, subject) && !needsItsName(rule, subject));
  const others = naming.flatMap((rule) =>
    rule === winner ? [] : [{ rule, lost: whyLost(rule, winner, subject) }],
  );
  if (winner) return { effect: winner.effect, decided: { by: "rule", rule: winner }, others };
  const { effect, why } = byDefault(subject);
  return { effect, decided: { by: "default", why }, others };
}

/** The rules in the order in which they win where several name the same tool and caller. Those that tie stay as they were. */
export function inOrder(rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.toSorted((left, right) => Number(stronger(right, left)) - Number(stronger(left, right)));
}

function isFor({ callers }: PolicyRule, { caller }: PolicySubject): boolean {
  return names(callers, caller);
}

function whyLost(rule: PolicyRule, winner: PolicyRule | undefined, subject: PolicySubject): LostReason {
  if (!isFor(rule, subject)) return "caller";
  // Without a winner, no rule that is for the caller counted.
  if (!winner || needsItsName(rule, subject))
    return subject.caller.kind === "channel" ? "chats" : "dangerous";
  if (!stronger(winner, rule)) return "twin";
  return stronger({ ...winner, effect: "allow" }, { ...rule, effect: "allow" })
    ? "less_exact"
    : "less_strict";
}
