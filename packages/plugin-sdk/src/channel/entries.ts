import type { ChannelRole } from "./access.ts";
import type { InboundFile } from "./transport.ts";

/** A message that came in and is not answered yet. */
export interface InboxEntry {
  /** The key by which a repeated delivery of the message is recognised. */
  key: string;
  conversation: string;
  messageId: string;
  /** The platform's ids of further messages that belong to the same turn. */
  alsoIds?: string[];
  userId: string;
  userName?: string;
  role: ChannelRole;
  text: string;
  files?: InboundFile[];
  /** The text, or a part of it, is what the platform understood of a voice note. */
  spoken?: boolean;
  group?: boolean;
  /** The group, channel or room, as the settings spell it. */
  room?: string;
  /** A direct conversation with somebody whose id can change hands: it ends with their presence. */
  fleeting?: boolean;
  replyTo?: string;
  what: "answer" | "remember";
  /** Platform ids of the draft messages that show the answer while it is written. */
  drafts?: string[];
  /**
   * The answer is in the outbox. The entry is kept only because the answer is too large to store: after a restart the
   * agent is asked for it again.
   */
  answered?: boolean;
}

/** A message that must be sent. */
export interface OutboxEntry {
  id: string;
  conversation: string;
  /** Null when the text is too large to store: after a restart the agent gives it again for the inbox entry `inbox`. */
  text: string | null;
  inbox?: string;
  /** The platform ids of the messages that were sent for it already; null for one without an id. */
  sent: (string | null)[];
  /** Number of its files that were sent already. */
  filesSent?: number;
  hasFiles?: boolean;
  /** Platform ids of draft messages that become the first messages of the answer. */
  drafts?: string[];
  replyTo?: string;
  /** The platform's id of the message that it answers. */
  answers?: string;
  /** The person whom it answers. */
  userId?: string;
  /** Since when the person has been away; milliseconds since 1970. */
  awaySince?: number;
  /** The approval that this message asks for; its buttons are sent with it. */
  approval?: { requestId: string; shortId: string };
  /** When it was put in, by the time of day; milliseconds since 1970. */
  at?: number;
}
