import type { Command } from "commander";
import type { Caller, Explanation, LostReason, PolicyRule, ToolDefault } from "../../contract/index.ts";
import { type Perform, usageError, withClient } from "../command.ts";

interface WhyOptions {
  as?: string;
  role?: string;
}

/** `patchbay agent why`: whether a tool may be used, and which rule says so. */
export function addAgentWhyCommand(agent: Command, perform: Perform): void {
  const why = agent
    .command("why <id> <tool>")
    .description(
      "whether an agent may use a tool, which rule says so, and which others do not count; runs nothing",
    )
    .option("--as <channel:user>", "as somebody at a channel; `telegram:` for anybody there (default: you)")
    .option("--role <role>", "with --as: the role to try (default: the one that they have)")
    .action((agentId: string, name: string, options: WhyOptions) => {
      const caller = callerOf(why, options);
      return perform(
        withClient(async ({ output }, client) => {
          const said = await client.policies.explain({ agentId, name, caller });
          output.result(said, () => whyText(said));
        }),
      );
    });
}

function callerOf(command: Command, { as, role }: WhyOptions): Caller {
  if (as === undefined) {
    if (role !== undefined) usageError(command, "--role goes with --as");
    return { kind: "owner" };
  }
  const at = as.indexOf(":");
  if (at < 1) usageError(command, "--as expects CHANNEL:USER, such as telegram:7");
  const channel = as.slice(0, at);
  return { kind: "channel", channel, userId: as.slice(at + 1), ...(role !== undefined && { role }) };
}

function whyText({ title, caller, judgement, offered, hooks, missing }: Explanation): string {
  const { effect, decided, others } = judgement;
  const lines = [
    `${title}, when ${whoOf(caller)} for it: ${effects[effect]}.`,
    decided.by === "rule"
      ? `The rule ${ruleOf(decided.rule)} decides.`
      : `No rule decides; ${defaults[decided.why]}.`,
    ...others.map(({ rule, lost }) => `The rule ${ruleOf(rule)} does not: ${reasons[lost]}.`),
  ];
  if (!offered && effect !== "deny") lines.push("The model is told of it in chats alone.");
  if (effect === "deny") return lines.join("\n");
  if (hooks.length > 0)
    lines.push(`Before each call these are asked, and may refuse or change it: ${hooks.join(", ")}.`);
  if (missing.length > 0) lines.push(`Refused as long as these do not run: ${missing.join(", ")}.`);
  return lines.join("\n");
}

function whoOf(caller: Caller): string {
  if (caller.kind === "owner") return "you ask";
  const role = caller.role === undefined ? "" : ` (${caller.role})`;
  return `${caller.userId || "somebody"}${role} on ${caller.channel} asks`;
}

function ruleOf({ tool, effect, callers }: PolicyRule): string {
  const whose = callers?.map((one) => {
    if (one === "owner") return "you";
    if (one === "anyone") return "everybody";
    return [one.channel, one.userId ?? one.role].filter((part) => part !== undefined).join(":");
  });
  return `“${tool}: ${effect}${whose ? `, for ${whose.join(", ")}` : ""}”`;
}

const effects = { allow: "allowed without a question", ask: "it asks you first", deny: "refused" } as const;

const reasons: Record<LostReason, string> = {
  caller: "it is for somebody else",
  chats: "a wildcard opens no dangerous tool to chats",
  dangerous: "a wildcard allows no dangerous tool without a question",
  less_exact: "another one names the tool more exactly",
  less_strict: "another one that names it as exactly is stricter",
  twin: "it says the same once more",
};

const defaults: Record<ToolDefault, string> = {
  builtin_reads: "built-in tools that only read do not ask",
  builtin_acts: "built-in tools that write or run something ask",
  dangerous: "its author calls it dangerous, so it asks",
  unknown: "nobody says whether it is dangerous, so it asks",
  trusted_reads: "it only reads, and its plugin is trusted",
  plugin: "tools of plugins ask",
  chats: "people in chats may use only what a rule opens to them",
};
