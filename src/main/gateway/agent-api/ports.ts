import type { LimitKeeper } from "../../agents/call-limit.ts";
import type { Channels } from "../../agents/channels/channels.ts";
import type { ChannelTokens } from "./channel-tokens.ts";

/** What the agent API needs of the core. */
export interface AgentApiTarget {
  tokens: ChannelTokens;
  /** Conversations, turns and approvals. */
  desk: Channels;
  /** The time limits that stand still while a turn of their conversation does. */
  limits: LimitKeeper;
  /** Whether the channel's plugin runs, or is starting or stopping. Its token is valid only as long as that. */
  isLive(agentId: string, pluginKey: string): boolean;
}
