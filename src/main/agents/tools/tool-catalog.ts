import type { ToolInfo } from "../../../contract/index.ts";
import { passedOn } from "../offered/passed-on.ts";
import type { AgentPool, LiveContributions } from "../ports.ts";
import { type BuiltinTool, builtinTools } from "./builtin/index.ts";

type FoundPluginTool = { kind: "plugin"; info: ToolInfo; owner: string };
export type FoundTool = { kind: "builtin"; info: ToolInfo; tool: BuiltinTool } | FoundPluginTool;

/** Every tool that an agent can use now: the built-in ones and those of its running plugins. */
export class ToolCatalog {
  private readonly pool: AgentPool;
  private readonly builtins: ReadonlyMap<string, BuiltinTool>;
  private readonly byName = new WeakMap<LiveContributions, Map<string, FoundPluginTool>>();

  constructor(pool: AgentPool, builtins = builtinTools) {
    this.pool = pool;
    this.builtins = builtins;
  }

  list(agentId: string): ToolInfo[] {
    const found = [...this.pluginTools(agentId).values()];
    return [...this.builtins.values(), ...found].map(({ info }) => info);
  }

  find(agentId: string, name: string): FoundTool | undefined {
    const tool = this.builtins.get(name);
    if (tool) return { kind: "builtin", info: tool.info, tool };
    return this.pluginTools(agentId).get(name);
  }

  private pluginTools(agentId: string): Map<string, FoundPluginTool> {
    const live = this.pool.live(agentId);
    let tools = this.byName.get(live);
    if (!tools) {
      tools = new Map();
      for (const info of live.tools) {
        const { name, owner } = info;
        if (owner && !isReserved(name) && !tools.has(name)) tools.set(name, { kind: "plugin", info, owner });
      }
      for (const info of passedOn(live)) tools.set(info.name, { kind: "plugin", info, owner: info.owner });
      this.byName.set(live, tools);
    }
    return tools;
  }
}

function isReserved(name: string): boolean {
  return builtinTools.has(name);
}
