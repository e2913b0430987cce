import type { HookInfo } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";

/** What model providers accept as the name of a tool. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Beginnings of tool names that belong to the plugins of one system alone. */
const RESERVED: readonly { prefix: string; runtime: string }[] = [{ prefix: "mcp__", runtime: "mcp" }];

export interface Judged {
  contributions: InstanceContributions;
  /** What was left out and why, a sentence each. */
  refused: string[];
}

/**
 * What an instance says it offers, as everybody else gets to see it: the owner set by us, no tool under a name that no
 * model takes or that belongs to another plugin system, no name twice, and the generation in the id of each hook, so that
 * a late dispatch cannot reach another handler after a restart.
 */
export function judgeContributions(
  said: InstanceContributions,
  of: { key: string; runtime: string; generation: number },
): Judged {
  const refused: string[] = [];
  const keep = <T extends { name: string }>(
    what: string,
    items: T[],
    objection: (name: string) => string,
  ) => {
    const seen = new Set<string>();
    return items.filter(({ name }) => {
      const why = seen.has(name) ? "it is offered twice" : objection(name);
      if (why) refused.push(`The ${what} ${name.slice(0, 80)} was left out: ${why}.`);
      else seen.add(name);
      return !why;
    });
  };
  const tools = keep("tool", said.tools, (name) => toolObjection(name, of.runtime));
  const commands = keep("command", said.commands, () => "");
  return {
    contributions: {
      ...said,
      tools: tools.map((tool) => (tool.owner === of.key ? tool : { ...tool, owner: of.key })),
      commands: commands.map((command) => ({ ...command, owner: of.key })),
      hooks: said.hooks.map((hook): HookInfo => ({ ...hook, id: `${of.generation}:${hook.id}` })),
    },
    refused,
  };
}

function toolObjection(name: string, runtime: string): string {
  if (!TOOL_NAME.test(name)) return "no model takes such a name";
  const reserved = RESERVED.find(({ prefix }) => name.startsWith(prefix));
  if (reserved && reserved.runtime !== runtime) {
    return `names with ${reserved.prefix} belong to plugins of the system ${reserved.runtime}`;
  }
  return "";
}
