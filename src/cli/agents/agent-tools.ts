import { Argument, type Command } from "commander";
import type { PolicyRule, ToolRight, ToolRights } from "../../contract/index.ts";
import { type Perform, withClient } from "../command.ts";
import { table } from "../terminal/output.ts";

const wishes = ["allow", "ask", "default", "off", "on", "revoke"] as const;
type Wish = (typeof wishes)[number];

/** `patchbay agent tools | rule`: what an agent may do, why, and changing it. */
export function addAgentToolCommands(agent: Command, perform: Perform): void {
  agent
    .command("tools <id>")
    .description("what an agent may do: every tool with its rule, and where the rule came from")
    .action((agentId: string) =>
      perform(
        withClient(async ({ output }, client) => {
          const rights = await client.tools.rights({ agentId });
          output.result(rights, () => rightsText(rights));
        }),
      ),
    );

  agent
    .command("rule <id> <tool>")
    .description("change what an agent may do with a tool")
    .addArgument(
      new Argument(
        "<wish>",
        "allow: without asking; ask: ask first; default: no rule; off, on: whether it is offered at all; revoke: take back what was allowed",
      ).choices(wishes),
    )
    .action((agentId: string, name: string, wish: Wish) =>
      perform(
        withClient(async ({ output }, client) => {
          const rights = await changed();
          output.result(rights, () => {
            const tool = rights.tools.find((one) => one.name === name);
            return `${output.paint.good("✓")} ${tool ? `${tool.title}: ${effectWords[tool.effect]}` : name}`;
          });

          function changed() {
            if (wish === "off" || wish === "on")
              return client.tools.offer({ agentId, name, offered: wish === "on" });
            if (wish === "revoke") return client.tools.revoke({ agentId, tool: name });
            return client.tools.setRule({ agentId, name, effect: wish === "default" ? null : wish });
          }
        }),
      ),
    );
}

const effectWords = { allow: "without asking", ask: "asks first", deny: "never" } as const;

function rightsText({ tools, rules }: ToolRights): string {
  const known = new Set(tools.map(({ name }) => name));
  const others = rules.filter((rule) => !known.has(rule.tool));
  const rows = tools.map((one) => [one.name, one.owner ?? "built-in", effectWords[one.effect], whyText(one)]);
  const more = others.map((rule) => [rule.tool, "", effectWords[rule.effect], ruleText(rule)]);
  return table([...rows, ...more]);
}

function whyText({ rule, name }: ToolRight): string {
  if (!rule) return "the default";
  return rule.tool === name ? ruleText(rule) : `${ruleText(rule)} (rule ${rule.tool})`;
}

function ruleText({ origin, callers }: PolicyRule): string {
  const whose = callers?.some((one) => one !== "owner" && one !== "anyone") ? "for people in chats; " : "";
  if (!origin) return `${whose}a rule from before Patchbay kept where rules come from`;
  const what = origin.answered ? "“Always”" : "your setting";
  return `${whose}${what}, ${origin.at.slice(0, 10)}, ${places[origin.from]}`;
}

const places = {
  conversation: "from a conversation",
  approvals: "from the approvals",
  tools: "from the page Tools",
  terminal: "from the terminal",
  screen: "from a screen",
} as const;
