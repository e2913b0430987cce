import type { HookInfo } from "../../../contract/index.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";

/** The names of tools that model providers accept. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Prefixes of tool names that only the plugins of one system may use. */
const RESERVED: readonly { prefix: string; runtime: string }[] = [{ prefix: "mcp__", runtime: "mcp" }];

export interface Judged {
  contributions: InstanceContributions;
  /** One sentence for each part that was left out, with the reason. */
  refused: string[];
}

/**
 * Checks what an instance says it offers. In the result the owner is set by us; tools are left out whose name is not
 * accepted by models, is reserved for another plugin system, or occurs twice. The id of each hook gets the generation
 * as a prefix, so that a late call cannot reach another handler after a restart.
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
