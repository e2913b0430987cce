import type {
  Caller,
  PolicyEffect,
  PolicyRule,
  ToolDefault,
  ToolInfo,
  Trust,
} from "../../../contract/index.ts";

export interface PolicyVerdict {
  effect: PolicyEffect;
  /** The rule or default that decided, in words. */
  rule: string;
  /** The rule itself, or else which default decided. */
  by?: PolicyRule;
  why?: ToolDefault;
}

export interface PolicySubject {
  tool: ToolInfo;
  caller: Caller;
  /** The trust in the plugin; null for a built-in tool. */
  trust: Trust | null;
  /** A built-in that writes or runs. */
  dangerous: boolean;
}

/**
 * Decides whether a call may happen. Among the rules that name the caller and the tool the most exact name wins;
 * among equals the strictest effect. Without a rule the defaults of the design hold: the owner is asked, except for
 * tools that only read and come from a trusted source; channel users may use nothing.
 */
export function decidePolicy(rules: readonly PolicyRule[], subject: PolicySubject): PolicyVerdict {
  const { tool, caller } = subject;
  let best: PolicyRule | undefined;
  for (const rule of rules) {
    if (!covers(rule.tool, tool.name) || !names(rule.callers, caller)) continue;
    if (needsItsName(rule, subject)) continue;
    if (!best || stronger(rule, best)) best = rule;
  }
  return best
    ? { effect: best.effect, rule: `rule ${best.tool}: ${best.effect}`, by: best }
    : byDefault(subject);
}

/**
 * Whether a rule does not count because its wildcard is not enough: only one that names exactly this tool would. For channel
 * users this holds for tools that are dangerous or unknown; for the owner, for allowing a dangerous tool without a question.
 */
export function needsItsName(rule: PolicyRule, { tool, caller, dangerous }: PolicySubject): boolean {
  if (rule.tool === tool.name || rule.effect === "deny") return false;
  if (caller.kind === "channel") return dangerous || tool.danger === "dangerous" || tool.danger === "unknown";
  return rule.effect === "allow" && tool.danger === "dangerous";
}

/** What holds where no rule does. */
export function byDefault({
  tool,
  caller,
  trust,
  dangerous,
}: PolicySubject): PolicyVerdict & { why: ToolDefault } {
  if (caller.kind === "channel") {
    return {
      effect: "deny",
      rule: "default: channel users may only use tools that a rule opens to them",
      why: "chats",
    };
  }
  if (tool.owner === null) {
    return dangerous
      ? { effect: "ask", rule: "default: built-in tools that write or run ask", why: "builtin_acts" }
      : { effect: "allow", rule: "default: built-in tools that read are allowed", why: "builtin_reads" };
  }
  if (tool.danger === "dangerous")
    return { effect: "ask", rule: "default: dangerous tools ask", why: "dangerous" };
  if (tool.danger === "unknown") {
    return {
      effect: "ask",
      rule: "default: tools of which nobody says whether they are dangerous ask",
      why: "unknown",
    };
  }
  if (tool.readOnly && (trust === "official" || trust === "built-in")) {
    return {
      effect: "allow",
      rule: "default: read-only tools of trusted plugins are allowed",
      why: "trusted_reads",
    };
  }
  return { effect: "ask", rule: "default: plugin tools ask", why: "plugin" };
}

/** Whether a rule's name of a tool, or its prefix, means this tool. */
export function covers(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Whether a rule is for this caller. */
export function names(callers: PolicyRule["callers"], caller: Caller): boolean {
  if (!callers) return caller.kind === "owner";
  return callers.some((one) => {
    if (one === "anyone") return true;
    if (one === "owner") return caller.kind === "owner";
    return (
      caller.kind === "channel" &&
      one.channel === caller.channel &&
      (one.userId === undefined || one.userId === caller.userId) &&
      (one.role === undefined || one.role === caller.role)
    );
  });
}

const strictness: Record<PolicyEffect, number> = { allow: 0, ask: 1, deny: 2 };

/** Whether a rule wins over another one that names the same tool and caller. */
export function stronger(rule: PolicyRule, than: PolicyRule): boolean {
  const exact = exactness(rule.tool) - exactness(than.tool);
  return exact !== 0 ? exact > 0 : strictness[rule.effect] > strictness[than.effect];
}

function exactness(pattern: string): number {
  return pattern.endsWith("*") ? pattern.length - 1 : Number.MAX_SAFE_INTEGER;
}
