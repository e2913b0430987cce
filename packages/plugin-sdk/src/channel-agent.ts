/** A file that goes with a message. */
export interface ChannelAttachment {
  /** File name with its ending, without a path. */
  name: string;
  mimeType: string;
  /** The bytes in base64: at most 25 MiB before encoding. */
  data: string;
  /**
   * In a message: somebody spoke this instead of writing, so that it is turned into text where the person has set that
   * up. In an answer: the answer spoken; it is sent as a voice note where the platform has them, else as a file.
   * `seconds`: how long it is, where that is known.
   */
  voice?: { seconds?: number };
}

/** A message from outside. One conversation of the platform is one session of the agent. */
export interface ChannelMessage {
  /** The platform's id of the conversation: the chat, with its topic or thread where there is one. */
  conversation: string;
  /** Who wrote it, by the platform's stable id, never by a display name. */
  userId: string;
  /** A name to show and, in groups, to put before the text. */
  userName?: string;
  /**
   * The person's role by the channel's own allow-list, for example `owner` or `user`. Rules of the agent can refer to
   * it.
   */
  role?: string;
  text: string;
  /**
   * The platform's id of the message, unique within the conversation. Each message is answered once: when the same id
   * is given again, also after a restart, the stored answer is returned. A turn that a restart interrupted is run
   * again.
   */
  messageId?: string;
  attachments?: ChannelAttachment[];
  /** Several people take part in the conversation. */
  group?: boolean;
  /**
   * The group, channel or room in which it was said (for a thread that of its channel), as the settings spell it. The person
   * may have set rules for it, which Patchbay applies: who is answered there, and what is added to the prompt. A
   * conversation stays in its room.
   */
  room?: string;
  /** The text is what the platform itself understood of a voice note. */
  spoken?: boolean;
}

export interface ChannelAnswer {
  sessionId: string;
  text: string;
  /**
   * True when nothing should be sent: the agent chose silence (`<NO_REPLY>`), or a hook dropped the message. Older
   * hosts do not set it.
   */
  silent?: boolean;
  attachments?: ChannelAttachment[];
}

/** A tool call that waits until the owner allows or refuses it. */
export interface ChannelApproval {
  requestId: string;
  /** A short number to type, for platforms without buttons. */
  shortId: string;
  /** The tool's name as people see it, for example `http.get`. */
  tool: string;
  /** The final arguments, as JSON, shortened, without secrets. */
  arguments: string;
  /** False: the arguments were cut, so the call can be refused here and allowed only in Patchbay itself. */
  whole?: boolean;
  sessionId: string;
  /** The conversation of this channel in which the call was made; null: elsewhere. */
  conversation: string | null;
  /** ISO 8601. Without an answer until then the call is refused. */
  expiresAt: string;
}

export type ChannelApprovalOutcome = "allowed" | "refused" | "expired" | "cancelled";

/** Who was let in beside the people of the settings, and who waits for that; as Patchbay knows it. */
export interface ChannelPeople {
  listed: { userId: string; role: "owner" | "user" }[];
  /** Ids of people who wrote and are not let in yet. */
  waiting: string[];
}

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
  /** Stores a message without running a turn: for messages in a group that are not addressed to the agent. */
  append?(input: ChannelMessage): Promise<{ sessionId: string }>;
  /**
   * Ends a conversation, because whoever is there next may be somebody else: what runs in it is stopped, its questions
   * are withdrawn, and the next message begins a session that knows nothing of this one. Does nothing where there is none.
   */
  end?(conversation: string): Promise<void>;
  /**
   * Calls the listener with the language that the person chose for what is said in chats, as a tag such as `de`, soon and
   * after each change. The returned function ends this.
   */
  followLanguage?(listener: (language: string) => void): () => void;
  /** Calls the listener with the {@link ChannelPeople}, soon and after each change. The returned function ends this. */
  followPeople?(listener: (people: ChannelPeople) => void): () => void;
  /**
   * Tells Patchbay that somebody wrote directly who is on no list. It answers with the one sentence to say to them, which
   * has a code for the owner, or with null for nothing, and with whether they wait now: then their message is to be kept.
   */
  introduce?(stranger: {
    userId: string;
    userName?: string;
    conversation: string;
  }): Promise<{ say: string | null; waits: boolean }>;
  /** An owner wrote the code of somebody who waits. Only where deciding from this channel is allowed. */
  pair?(given: { code: string; userId: string }): Promise<{ say: string }>;
  /**
   * Calls the listener for each tool call of this agent that waits for approval, first for those that wait already. The
   * returned function ends this.
   *
   * `characters`: how many of the arguments this platform shows so that people read them whole, where that is less than
   * Patchbay's own limit (1,000). Longer arguments are cut, and such a call can only be refused there. The first one stated counts.
   */
  followApprovals?(
    listener: {
      asked(approval: ChannelApproval): void;
      settled(requestId: string, outcome: ChannelApprovalOutcome): void;
    },
    options?: { characters?: number },
  ): () => void;
  /**
   * Allows or refuses one call, with exactly the arguments that were shown. Only where the person has allowed deciding
   * from this channel (else DECIDING_NOT_GRANTED), and only for ids that stand in its setting `owners` (else
   * NOT_THE_OWNER). Patchbay reads that setting itself; `role` changes nothing. A call whose arguments were cut can
   * only be refused (NOT_SHOWN_WHOLE).
   */
  review?(input: {
    /** `requestId` or `shortId` of the {@link ChannelApproval}. */
    request: string;
    decision: "allow" | "refuse";
    userId: string;
    role?: string;
  }): Promise<{ outcome: ChannelApprovalOutcome }>;
}
