/** The separate place that each agent has in the store. */
export interface AgentRooms {
  /** False before the first agent was ever made: this is then the first start. */
  any(): boolean;
  /** @throws PatchbayError AGENT_NOT_FOUND when the id cannot be one */
  has(agentId: string): boolean;
  /** @throws PatchbayError AGENT_NOT_FOUND when the id cannot be one, DISK_FULL, WRITE_FAILED */
  make(agentId: string): Promise<void>;
  /** Makes the folder that an agent works in, an absolute path. It may lie anywhere. @throws DISK_FULL, WRITE_FAILED */
  makeWorkspace(folder: string): Promise<void>;
  /** Whether an agent with this id was removed and is kept, or was removed by an older version. */
  wasSetAside(agentId: string): boolean;
  /** What is kept of plugins beside their values, a log of two halves twice. @throws AGENT_NOT_FOUND, READ_FAILED */
  traces(agentId: string): PluginTrace[];
}

/** Something that is kept of a plugin of an agent. */
export interface PluginTrace {
  pluginKey: string;
  what: "log" | "figures";
}
