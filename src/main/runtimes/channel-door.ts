import type {
  ChannelAnswer,
  ChannelApproval,
  ChannelApprovalOutcome,
  ChannelMessage,
  ChannelPeople,
} from "@patchbay/plugin-sdk";
import type { StrangerRule } from "../../contract/index.ts";

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
  /** Tells the language of what is said in chats, at once and after each change. The returned function ends this. */
  followLanguage(listener: (language: string) => void): () => void;
  /** Tells who was let in and who waits, at once and after each change. The returned function ends this. */
  followPeople(listener: (people: ChannelPeople) => void): () => void;
  /** Somebody wrote directly who is on no list. What is said to them, and whether their message may be kept, is the core's. */
  introduce(stranger: ChannelStranger): Promise<{ say: string | null; waits: boolean }>;
  /** An owner lets in who was told this code. @throws PatchbayError DECIDING_NOT_GRANTED, NOT_THE_OWNER, PERSON_NOT_FOUND, RATE_LIMITED */
  pair(given: { code: string; userId: string }): Promise<{ say: string }>;
  /** @param characters of the arguments that the channel shows, where that is less than the core's own limit */
  followApprovals(listener: ApprovalListener, characters?: number): () => void;
  /** @throws PatchbayError NOT_THE_OWNER, APPROVAL_NOT_FOUND */
  review(input: ChannelReview): Promise<{ outcome: ChannelApprovalOutcome }>;
}

/** Whom a channel answers, as its settings say. */
export interface ChannelRules {
  /** What happens to somebody who writes directly and is on no list. */
  strangers: StrangerRule;
  /** In the groups of the settings, too, only listed people are answered. */
  groupsOnlyListed: boolean;
  /** Rooms that have rules of their own; the first of several with one name counts. */
  rooms?: readonly RoomRules[];
  /** Names of rooms that the settings name anywhere. */
  named?: readonly string[];
}

/** What the person says of one group, channel or room of a platform. */
export interface RoomRules {
  /** Its name or id on the platform. */
  room: string;
  /** What is added to the agent's system prompt there; empty for nothing. */
  prompt: string;
  /** `never`: what is said there is remembered, and nothing is answered. The rest is the channel's own matter. */
  answers: "as-elsewhere" | "mentioned" | "everything" | "never";
  /** Who is answered there, owners aside: as the channel's settings say of groups, everybody, or `users` alone. */
  people: "as-elsewhere" | "everybody" | "these";
  users: readonly string[];
}

export interface ChannelStranger {
  userId: string;
  userName?: string;
  conversation: string;
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
