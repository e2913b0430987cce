import type { Caller, PolicyRule, RuleDraft, VerdictChange } from "../../../contract/index.ts";
import type { PluginTrust } from "../ports.ts";
import { isThereFor, verdictOn } from "../tools/rights.ts";
import type { FoundTool } from "../tools/tool-catalog.ts";

/** Most changes that are told. */
const most = 300;

interface Compared {
  tools: readonly FoundTool[];
  callers: readonly Caller[];
  trust: PluginTrust;
}

/** The verdicts that other rules change, over all tools and callers, and for how many tools there is one. */
export function changesBetween(
  before: readonly PolicyRule[],
  after: readonly PolicyRule[],
  { tools, callers, trust }: Compared,
): { changes: VerdictChange[]; tools: number } {
  const changes: VerdictChange[] = [];
  const old = { policy: [...before] };
  const fresh = { policy: [...after] };
  for (const found of tools) {
    for (const caller of callers) {
      if (!isThereFor(found, caller)) continue;
      const was = verdictOn(old, found, caller, trust).effect;
      const will = verdictOn(fresh, found, caller, trust).effect;
      if (was === will) continue;
      const { name: tool, title, owner } = found.info;
      changes.push({ tool, title, owner, caller, before: was, after: will });
    }
  }
  return { changes: changes.slice(0, most), tools: new Set(changes.map(({ tool }) => tool)).size };
}

/** The rules with `rule` in the place of `replaces`: at its position, or at the end. An equal rule is not kept twice. */
export function withRule(
  rules: readonly PolicyRule[],
  rule: PolicyRule | null,
  replaces: RuleDraft | null,
): PolicyRule[] {
  const at = replaces ? rules.findIndex((one) => isRule(one, replaces)) : -1;
  const kept = rules.flatMap((one, index) => {
    if (index === at) return rule ? [rule] : [];
    return rule && isRule(one, rule) ? [] : [one];
  });
  return rule && at === -1 ? [...kept, rule] : kept;
}

/** Whether it is the same rule, wherever it came from. */
function isRule(one: RuleDraft, other: RuleDraft): boolean {
  return (
    one.tool === other.tool &&
    one.effect === other.effect &&
    JSON.stringify(one.callers) === JSON.stringify(other.callers)
  );
}
