import type { Channels } from "../../agents/channels/channels.ts";
import type { ChannelTokens } from "./channel-tokens.ts";

/** What the agent API needs of the core. */
export interface AgentApiTarget {
  tokens: ChannelTokens;
  /** Conversations, turns and approvals. */
  desk: Channels;
  /** What the person's settings make of a user of a channel: `owner`, or nothing. */
  roleOf(agentId: string, pluginKey: string, userId: string): string | undefined;
  /** Whether the channel's plugin runs, or is starting or stopping: a token is good no longer than that. */
  isLive(agentId: string, pluginKey: string): boolean;
}
