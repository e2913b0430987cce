/** A file that goes with a message. */
export interface ChannelAttachment {
  /** With its ending, without a path. */
  name: string;
  mimeType: string;
  /** Base64. At most 25 MiB of bytes. */
  data: string;
}

/** A message from outside. One conversation of the platform is one session of the agent. */
export interface ChannelMessage {
  /** The platform's id of the conversation: the chat, with its topic or thread where there is one. */
  conversation: string;
  /** Who wrote it, by the platform's stable id, never by a display name. */
  userId: string;
  /** A name to show and, in groups, to put before the text. */
  userName?: string;
  /** What the channel's own allow-list makes of this person, as in `owner`, `user`. Rules of the agent may name it. */
  role?: string;
  text: string;
  /**
   * The platform's id of the message, unique within the conversation. A message is answered once: given again, also after
   * a restart, it gets the answer that was already made; a turn that was cut short by a restart is run again.
   */
  messageId?: string;
  attachments?: ChannelAttachment[];
  /** Several people take part in the conversation. */
  group?: boolean;
}

export interface ChannelAnswer {
  sessionId: string;
  text: string;
  /** Nothing is to be sent: the agent chose silence (`<NO_REPLY>`), or a hook dropped the message. Older hosts leave it out. */
  silent?: boolean;
  attachments?: ChannelAttachment[];
}

/** A tool call that waits for the owner's word. */
export interface ChannelApproval {
  requestId: string;
  /** A short number to type, for platforms without buttons. */
  shortId: string;
  /** As people see it, as in `http.get`. */
  tool: string;
  /** The final arguments, as JSON, shortened, without secrets. */
  arguments: string;
  sessionId: string;
  /** The conversation of this channel in which the call was made; null: elsewhere. */
  conversation: string | null;
  /** ISO 8601; unanswered by then means refused. */
  expiresAt: string;
}

export type ChannelApprovalOutcome = "allowed" | "refused" | "expired" | "cancelled";

/** The typed client of a channel. Methods that older hosts lack are optional. */
export interface ChannelAgent {
  /** Runs a turn, or a slash command, for a message from outside and resolves with the final answer. */
  prompt(
    input: ChannelMessage & {
      /** Gets each new piece of the answer while it is written. */
      onDelta?: (text: string) => void;
      signal?: AbortSignal;
    },
  ): Promise<ChannelAnswer>;
  /** Stores a message without a turn: what is said in a group when nobody asked the agent. */
  append?(input: ChannelMessage): Promise<{ sessionId: string }>;
  /** Follows the tool calls of this agent that wait for approval; first those that wait already. Returns what ends it. */
  followApprovals?(listener: {
    asked(approval: ChannelApproval): void;
    settled(requestId: string, outcome: ChannelApprovalOutcome): void;
  }): () => void;
  /**
   * Decides one call, for exactly the arguments that were shown. Only for people whom the channel's settings name as
   * owners: the channel vouches for `userId` by giving the role `owner`; any other is refused with NOT_THE_OWNER.
   */
  review?(input: {
    /** `requestId` or `shortId` of the {@link ChannelApproval}. */
    request: string;
    decision: "allow" | "refuse";
    userId: string;
    role?: string;
  }): Promise<{ outcome: ChannelApprovalOutcome }>;
}
