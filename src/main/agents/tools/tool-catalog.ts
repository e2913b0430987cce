import type { ToolInfo } from "../../../contract/index.ts";
import type { AgentPool, LiveContributions } from "../ports.ts";
import { type BuiltinTool, builtinTools } from "./builtin/index.ts";

export type FoundTool =
  | { kind: "builtin"; info: ToolInfo; tool: BuiltinTool }
  | { kind: "plugin"; info: ToolInfo; owner: string };

/** Every tool that an agent can use now: the built-in ones and those of its running plugins. */
export class ToolCatalog {
  private readonly pool: AgentPool;
  private readonly builtins: ReadonlyMap<string, BuiltinTool>;
  private readonly byName = new WeakMap<LiveContributions, Map<string, ToolInfo>>();

  constructor(pool: AgentPool, builtins = builtinTools) {
    this.pool = pool;
    this.builtins = builtins;
  }

  list(agentId: string): ToolInfo[] {
    return [...[...this.builtins.values()].map((tool) => tool.info), ...this.pluginTools(agentId).values()];
  }

  find(agentId: string, name: string): FoundTool | undefined {
    const tool = this.builtins.get(name);
    if (tool) return { kind: "builtin", info: tool.info, tool };
    const info = this.pluginTools(agentId).get(name);
    return info?.owner ? { kind: "plugin", info, owner: info.owner } : undefined;
  }

  private pluginTools(agentId: string): Map<string, ToolInfo> {
    const live = this.pool.live(agentId);
    let tools = this.byName.get(live);
    if (!tools) {
      tools = new Map();
      for (const tool of live.tools) {
        if (tool.owner && !isReserved(tool.name) && !tools.has(tool.name)) tools.set(tool.name, tool);
      }
      this.byName.set(live, tools);
    }
    return tools;
  }
}

function isReserved(name: string): boolean {
  return builtinTools.has(name);
}
