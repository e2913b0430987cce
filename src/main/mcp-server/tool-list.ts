import type { Tool } from "@modelcontextprotocol/server";
import type { ToolDefault, ToolRight, ToolRights } from "../../contract/index.ts";

/**
 * The tools of an agent as MCP lists them: without those that its rules deny, that are held or switched off, those for chats
 * alone, and what stands for prompts and resources.
 */
export function listedTools({ tools }: Pick<ToolRights, "tools">): Tool[] {
  return tools
    .filter((tool) => tool.effect !== "deny" && !tool.withheld && !tool.inChatsOnly && !tool.passes)
    .map(listed);
}

function listed(tool: ToolRight): Tool {
  const title = tool.label ?? tool.title;
  return {
    name: tool.name,
    title,
    description: tool.description,
    inputSchema: { ...tool.parameters, type: "object" },
    annotations: { title, ...hintsOf(tool) },
  };
}

/** What Patchbay itself holds a tool for. The word of a plugin that nobody vouches for says nothing. */
function hintsOf({ byDefault, danger }: ToolRight): Tool["annotations"] {
  if (readsOnly.has(byDefault)) return { readOnlyHint: true, destructiveHint: false };
  return { readOnlyHint: false, ...(danger === "dangerous" && { destructiveHint: true }) };
}

const readsOnly: ReadonlySet<ToolDefault> = new Set(["builtin_reads", "trusted_reads"]);
