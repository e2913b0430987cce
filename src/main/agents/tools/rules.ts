import type { Caller, PolicyRule, RuleOrigin } from "../../../contract/index.ts";

type Rules = readonly PolicyRule[];

/**
 * The policy with one more rule that allows the tool to the caller. Older rules for exactly this tool and caller are
 * replaced.
 */
export function allowFromNowOn(
  rules: Rules,
  tool: string,
  caller: Caller,
  origin?: RuleOrigin,
): PolicyRule[] {
  const callers: PolicyRule["callers"] =
    caller.kind === "owner" ? undefined : [{ channel: caller.channel, userId: caller.userId }];
  const rule: PolicyRule = { tool, effect: "allow", ...(callers && { callers }), ...(origin && { origin }) };
  return [...rules.filter((one) => !isSame(one, rule)), rule];
}

/** The policy with what the owner wants of exactly this tool; null: no rule of theirs, so that the default holds. */
export function withEffect(
  rules: Rules,
  tool: string,
  effect: "allow" | "ask" | null,
  origin: RuleOrigin,
): PolicyRule[] {
  const kept = rules.filter((one) => one.tool !== tool || one.callers !== undefined);
  return effect === null ? kept : [...kept, { tool, effect, origin }];
}

/** The policy that takes a tool away from everybody, whatever other rules say; those stay for when it is given back. */
export function switchedOff(rules: Rules, tool: string, origin: RuleOrigin): PolicyRule[] {
  const off: PolicyRule = { tool, effect: "deny", callers: ["anyone"], origin };
  return [...rules.filter((one) => !isSame(one, off) || one.effect !== "deny"), off];
}

/** The policy that gives a tool back. One that a rule for several tools refuses is asked about from now on. */
export function switchedOn(rules: Rules, tool: string, origin: RuleOrigin): PolicyRule[] {
  const kept = rules.filter((one) => one.tool !== tool || one.effect !== "deny" || !holdsForOwner(one));
  const isNamed = kept.some((one) => one.tool === tool && holdsForOwner(one));
  const isRefused = kept.some(
    (one) => one.effect === "deny" && holdsForOwner(one) && isPrefixOf(one.tool, tool),
  );
  return isRefused && !isNamed ? [...kept, { tool, effect: "ask", origin }] : kept;
}

/** The policy without the rules that allow exactly this to these callers. It never allows more than before. */
export function revoked(rules: Rules, { tool, callers }: Pick<PolicyRule, "tool" | "callers">): PolicyRule[] {
  return rules.filter((one) => one.effect !== "allow" || !isSame(one, { tool, callers }));
}

/**
 * Rules as somebody sent them, each with an origin that the core vouches for: the stored one of a rule that was there, and
 * `origin` for a new one. What was sent as an origin counts for nothing.
 */
export function withOrigins(stored: Rules, sent: Rules, origin: RuleOrigin): PolicyRule[] {
  return sent.map(({ origin: _claimed, ...rule }) => {
    const known = stored.find((one) => isSame(one, rule) && one.effect === rule.effect);
    if (!known) return { ...rule, origin };
    return known.origin ? { ...rule, origin: known.origin } : rule;
  });
}

function isSame(
  one: Pick<PolicyRule, "tool" | "callers">,
  other: Pick<PolicyRule, "tool" | "callers">,
): boolean {
  return one.tool === other.tool && JSON.stringify(one.callers) === JSON.stringify(other.callers);
}

function holdsForOwner({ callers }: PolicyRule): boolean {
  return !callers || callers.some((one) => one === "owner" || one === "anyone");
}

function isPrefixOf(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") && tool.startsWith(pattern.slice(0, -1));
}
