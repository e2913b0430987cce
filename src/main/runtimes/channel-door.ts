import type {
  ChannelAnswer,
  ChannelApproval,
  ChannelApprovalOutcome,
  ChannelMessage,
} from "@patchbay/plugin-sdk";

/** The way of one channel plugin to its agent. */
export interface ChannelDoor {
  agent: ChannelServices;
  /** The access of an older channel package: addresses for calling the agent over HTTP, and a token of its own. */
  access(): ChannelAccess;
}

/** Where an agent's HTTP interface is, and the token of one plugin for it. */
export interface ChannelAccess {
  agentBaseUrl: string;
  publicAgentBaseUrl: string;
  token: string;
}

export interface ChannelPrompt extends ChannelMessage {
  onDelta?: (text: string) => void;
  /**
   * Aborting this stops the turn. When the reason is HOST_CRASHED and the message has an id, the turn goes on: the
   * channel can ask for its answer again by that id.
   */
  signal: AbortSignal;
}

/**
 * What a channel may ask of its agent; the channel's process calls these by messages. All reject with PatchbayError.
 */
export interface ChannelServices {
  /**
   * Runs a turn, or a slash command. @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE, RATE_LIMITED, or the code with
   * which the turn failed
   */
  prompt(input: ChannelPrompt): Promise<ChannelAnswer>;
  /** Stores a message in the conversation without running a turn. */
  append(input: ChannelMessage): Promise<{ sessionId: string }>;
  /** Stops what runs in a conversation and ends it. The next message begins a session that knows nothing of it. */
  end(conversation: string): Promise<void>;
  /** @param characters of the arguments that the channel shows, where that is less than the core's own limit */
  followApprovals(listener: ApprovalListener, characters?: number): () => void;
  /** @throws PatchbayError NOT_THE_OWNER, APPROVAL_NOT_FOUND */
  review(input: ChannelReview): Promise<{ outcome: ChannelApprovalOutcome }>;
}

export interface ApprovalListener {
  asked(approval: ChannelApproval): void;
  settled(requestId: string, outcome: ChannelApprovalOutcome): void;
}

export interface ChannelReview {
  request: string;
  decision: "allow" | "refuse";
  userId: string;
  role?: string;
}
