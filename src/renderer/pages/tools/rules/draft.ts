import type { PolicyEffect, PolicyRule } from "../../../../contract/agent.ts";
import type { RuleDraft } from "../../../../contract/permissions/explanation.ts";

export type Named = NonNullable<PolicyRule["callers"]>[number];
/** A caller in a chat. */
export type ChatCaller = Exclude<Named, string>;

/** What is typed into the form of a rule. */
export interface Typed {
  which: "one" | "several";
  tool: string;
  /** The beginning of the names, without `*`. */
  begins: string;
  effect: PolicyEffect;
  owner: boolean;
  anyone: boolean;
  chats: ChatCaller[];
}

export function typedOf(rule: RuleDraft | null, firstTool: string): Typed {
  if (!rule)
    return {
      which: "one",
      tool: firstTool,
      begins: "",
      effect: "ask",
      owner: true,
      anyone: false,
      chats: [],
    };
  const isPrefix = rule.tool.endsWith("*");
  const callers = rule.callers ?? ["owner"];
  return {
    which: isPrefix ? "several" : "one",
    tool: isPrefix ? firstTool : rule.tool,
    begins: isPrefix ? rule.tool.slice(0, -1) : "",
    effect: rule.effect,
    owner: callers.includes("owner"),
    anyone: callers.includes("anyone"),
    chats: callers.filter((one) => typeof one !== "string"),
  };
}

/** Null while it is no rule: nobody is named, or no tool. */
export function ruleOf({ which, tool, begins, effect, owner, anyone, chats }: Typed): RuleDraft | null {
  const name = which === "one" ? tool : `${begins.trim().replace(/\*+$/, "")}*`;
  const callers: Named[] = [
    ...(owner ? ["owner" as const] : []),
    ...(anyone ? ["anyone" as const] : []),
    ...chats,
  ];
  if (name === "" || callers.length === 0) return null;
  // A rule for the owner alone is stored without callers, as all others that they make are.
  return owner && callers.length === 1 ? { tool: name, effect } : { tool: name, effect, callers };
}

export function isSameCaller(one: ChatCaller, other: ChatCaller): boolean {
  return one.channel === other.channel && one.userId === other.userId && one.role === other.role;
}
