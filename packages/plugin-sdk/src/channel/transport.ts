import type { ChannelAttachment } from "../channel-agent.ts";
import type { Measure } from "./split.ts";

/**
 * One platform, and nothing else: how to connect, send, edit. The toolkit does the rest. Conversations and message ids
 * are the platform's own, as text; a conversation is the chat with its topic or thread.
 *
 * Methods fail with a `ChannelFailure`; anything else thrown counts as "not connected".
 */
export interface ChannelTransport {
  readonly limits: ChannelLimits;
  /**
   * Connects once; no retries of its own. Resolves when the platform has proven healthy (hello, READY, 001, first 200),
   * not when a socket is open. After a loss (`port.lost`) it is called again.
   */
  connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }>;
  /** Ends the connection. Called before each new `connect`, also when there is none. */
  close(): Promise<void>;
  /** Sends one message. Resolves when the platform has taken it. */
  send(conversation: string, piece: OutgoingPiece): Promise<SentPiece>;
  edit?(conversation: string, messageId: string, piece: OutgoingPiece): Promise<void>;
  remove?(conversation: string, messageId: string): Promise<void>;
  /** Shows or hides "is typing". Failures are ignored. */
  typing?(conversation: string, on: boolean): Promise<void>;
  sendFile?(conversation: string, file: ChannelAttachment, id: string): Promise<SentPiece>;
  /** Fetches the bytes of a file that came in. `fetchFile` has the limits and the host check. */
  download?(file: InboundFile, signal: AbortSignal): Promise<Uint8Array>;
  /** The conversation with one person alone; null when the platform does not let it be known. */
  directConversation?(userId: string): Promise<string | null>;
  /** Proves that the connection still lives, where the library has no pings of its own. */
  ping?(): Promise<void>;
}

export interface ChannelLimits {
  /** Largest text of one message before rendering, in `unit`s. */
  piece: number;
  unit: Measure;
  /** Streaming by edits, at most one edit in this many milliseconds. Absent: the answer is sent once, at its end. */
  editEveryMs?: number | ((conversation: string) => number);
  /** How often "is typing" must be said again, in milliseconds. */
  typingEveryMs?: number;
  /** Buttons can go with a message; else people type `/approve 1`. */
  buttons?: boolean;
}

export interface OutgoingPiece {
  /** Source text (Markdown), within the limits. The transport renders it. */
  text: string;
  /** The same each time this piece is tried, at most 64 of `A-Za-z0-9_-`: for platforms with idempotency keys. */
  id: string;
  /** It may have been sent before, by a process that died before it could note it. */
  again: boolean;
  /** The answer goes on growing: say so, as in a trailing "…". */
  draft: boolean;
  /** Only on the last piece. An empty list takes buttons away. */
  buttons?: ChannelButton[];
  /** The platform's id of the message that this answers; on the first piece. */
  replyTo?: string;
}

export interface ChannelButton {
  label: string;
  /** Comes back in {@link ButtonPress}; at most 64 bytes. */
  data: string;
  style: "primary" | "danger";
}

export interface SentPiece {
  /** The platform's id, where it has one; needed for edits. */
  messageId?: string;
}

/** A file that came in, as it is remembered until its turn: not the bytes, but how to get them. JSON. */
export interface InboundFile {
  name: string;
  mimeType: string;
  /** Bytes, as declared. */
  size?: number;
  /** For `download`: a platform id or an address. */
  ref: string;
}

export interface InboundMessage {
  conversation: string;
  /** The platform's id of the message, unique within the conversation; absent where the platform has none. */
  id?: string;
  /** What tells a repeated delivery, where that is not the id of the message. */
  dedupeKey?: string;
  /** Only `message` is answered; the rest is dropped, so that the rule stands in one place. */
  kind?: "message" | "edit" | "reaction" | "notice";
  from: {
    /** Stable id, never a display name. */
    id: string;
    name?: string;
    /** Further stable ids of the same person that an allow-list may name, as in a telephone number. */
    aliases?: string[];
    bot?: boolean;
    /** The bot's own account: an echo. */
    self?: boolean;
  };
  /** With the mention of the bot stripped. */
  text: string;
  files?: InboundFile[];
  /** Absent: one person alone. */
  group?: {
    /** What the allow-list of groups names; the conversation when absent (a thread belongs to its channel). */
    id?: string;
    /** Mentioned, replied to, or a command addressed to the bot. */
    addressed: boolean;
  };
  /** For platforms that show which message is answered. */
  replyTo?: string;
}

export interface ButtonPress {
  conversation: string;
  /** The message with the buttons. */
  messageId?: string;
  userId: string;
  aliases?: string[];
  data: string;
}

/** What a transport tells the toolkit. */
export interface ChannelPort {
  /**
   * A message came in. Resolves when it is safe, that is, would survive the end of this process and of the app:
   * acknowledge it to the platform then. While too much waits it does not resolve: stop reading.
   */
  message(message: InboundMessage): Promise<void>;
  /** A button was pressed. Resolves at once with a short sentence for whoever pressed it. */
  press(press: ButtonPress): Promise<string>;
  /** The connection is gone, for the reason of the failure. */
  lost(reason: unknown): void;
  /** Something is wrong that does not end the connection, as in a room that does not let the bot in; null: no more. */
  trouble(sentence: string | null): void;
  /** The library mends the connection by itself; a reason, or null when all is well again. */
  degraded(reason: string | null): void;
}
