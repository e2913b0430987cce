import type { ChannelAttachment } from "../channel-agent.ts";
import type { Measure } from "./split.ts";

/**
 * The part of a channel that knows one platform: how to connect, send and edit. The toolkit does the rest.
 * Conversations and message ids are the platform's own, as text; a conversation is the chat with its topic or thread.
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
  /**
   * Sends one message. Resolves when the platform has taken it. It must reach the person whom the conversation belongs
   * to, or nobody: where that cannot be known at this moment, it fails with a `ChannelFailure` of the kind `away` (they
   * may come back as themselves) or `nobody` (they never will).
   */
  send(conversation: string, piece: OutgoingPiece): Promise<SentPiece>;
  /**
   * Looks in the platform's history for a piece that may have been sent already. Called before a piece (or a file) with
   * `again` is sent.
   *
   * @returns the message when it is there; null when it surely is not: then it is sent; `unknown` where the platform
   *   keeps no history or does not show enough of it: then it is sent too, and may come twice
   */
  wasSent?(conversation: string, piece: SoughtPiece): Promise<SentPiece | null | "unknown">;
  edit?(conversation: string, messageId: string, piece: OutgoingPiece): Promise<void>;
  remove?(conversation: string, messageId: string): Promise<void>;
  /** Shows (`on`) or hides "is typing". Failures are ignored. */
  typing?(conversation: string, on: boolean): Promise<void>;
  /**
   * Shows at somebody's message that it was seen and waits, or that it is worked on, for example by a reaction; null
   * takes the mark away. `before` is what is shown now. Failures are ignored. Messages without an id are not marked.
   */
  mark?(
    conversation: string,
    messageId: string,
    mark: MessageMark | null,
    before: MessageMark | null,
  ): Promise<void>;
  sendFile?(conversation: string, file: ChannelAttachment, id: string): Promise<SentPiece>;
  /**
   * Fetches the bytes of a file that came with a message. Use `fetchFile`, which has the limits and the check of the
   * host.
   */
  download?(file: InboundFile, signal: AbortSignal): Promise<Uint8Array>;
  /** The direct conversation with one person; null when the platform does not tell it. */
  directConversation?(userId: string): Promise<string | null>;
  /** Resolves when the connection still works. For libraries without pings of their own. */
  ping?(): Promise<void>;
}

export type MessageMark = "seen" | "working";

export interface ChannelLimits {
  /** Largest text of one message before rendering, in `unit`s. */
  piece: number;
  unit: Measure;
  /** Streaming by edits, at most one edit in this many milliseconds. Absent: the answer is sent once, at its end. */
  editEveryMs?: number | ((conversation: string) => number);
  /** Milliseconds after which "is typing" must be sent again. */
  typingEveryMs?: number;
  /**
   * Characters of a waiting call's arguments that people here read whole, where that is less than Patchbay's own limit. A
   * longer call can only be refused here.
   */
  approval?: number;
  /** Messages can have buttons. Without them people type `/approve 1`. */
  buttons?: boolean;
}

export interface OutgoingPiece {
  /** Source text (Markdown), within the limits. The transport renders it. */
  text: string;
  /**
   * An id that is the same at each try to send this piece, for platforms with idempotency keys: at most 64 characters
   * of `A-Za-z0-9_-`.
   */
  id: string;
  /**
   * The piece may have been sent already: by a process that ended before it could store that, or over a connection that
   * ended before the platform confirmed it. In each conversation this is one piece at most, since the next is sent only
   * when it is stored that the one before was.
   */
  again: boolean;
  /** The answer is still being written; show that, for example by a "…" at its end. */
  draft: boolean;
  /** Given only with the last piece. An empty list removes the buttons of the message. */
  buttons?: ChannelButton[];
  /** The platform's id of the message that this answers; given only with the first piece. */
  replyTo?: string;
}

export interface ChannelButton {
  label: string;
  /** Returned in {@link ButtonPress} when the button is pressed; at most 64 bytes. */
  data: string;
  style: "primary" | "danger";
}

/** What is looked for in the history of a conversation. */
export interface SoughtPiece {
  /** As in {@link OutgoingPiece}. */
  id: string;
  /** The source text; of a file its name. */
  text: string;
  /** When it was written, in milliseconds since 1970 by this machine's clock: it was not sent before. Absent: unknown. */
  since?: number;
  /** The platform's id of the message that it answers, where it answers one: it can only have been sent after that. */
  answers?: string;
  /** Ids of messages that are surely other pieces of the same answer. */
  others?: readonly string[];
}

export interface SentPiece {
  /** The platform's id, where it has one; needed for edits. */
  messageId?: string;
}

/**
 * A file of a message, in the form in which it is stored until its turn runs: not its bytes, but how to fetch them.
 * Must be JSON.
 */
export interface InboundFile {
  name: string;
  mimeType: string;
  /** Size in bytes, as the platform declares it. */
  size?: number;
  /** What `download` needs to fetch the file: an id of the platform or an address. */
  ref: string;
  /** Somebody spoke this instead of writing, with its seconds where the platform tells them. */
  voice?: { seconds?: number };
}

export interface InboundMessage {
  /**
   * The chat with its topic or thread. A direct conversation is named by what cannot change hands, too; one with
   * somebody who has nothing of the kind (`from.lasting` is false) has a name that nobody else's conversation has.
   */
  conversation: string;
  /** The platform's id of the message, unique within the conversation; absent where the platform has none. */
  id?: string;
  /** The key by which a repeated delivery is recognised, where that is not the id of the message. */
  dedupeKey?: string;
  /**
   * Only `message` is answered. `past`: a group gives what was said before the bot came; it is remembered where the settings
   * want that, and is nothing else, whatever it says. The toolkit drops the other kinds, so that transports need no rule for
   * them.
   */
  kind?: "message" | "edit" | "past" | "reaction" | "notice";
  from: {
    /** What cannot change hands: an account, a number, an address. Never a display name. */
    id: string;
    /**
     * False where the platform knows nothing of this person that cannot change hands (a nick without an account). `id` is
     * then what they are called at this moment. Such people match no list and decide nothing; a direct conversation
     * with one of them is over with `port.left`, and with the connection. Absent: true.
     */
    lasting?: boolean;
    name?: string;
    /** Further stable ids of the same person that an allow-list may contain, for example a telephone number. */
    aliases?: string[];
    bot?: boolean;
    /** The message comes from the bot's own account; it is dropped. */
    self?: boolean;
  };
  /** The text without the mention of the bot. */
  text: string;
  files?: InboundFile[];
  /** The text is what the platform itself understood of a voice note. */
  spoken?: boolean;
  /** Absent in a direct conversation. */
  group?: {
    /**
     * The id that the allow-list of groups contains (for a thread that of its channel); the conversation's id when
     * absent.
     */
    id?: string;
    /** The bot was mentioned or replied to, or the message is a command for it. */
    addressed: boolean;
    /**
     * The message goes on with a talk that the bot was addressed in, for example in the same thread: it is for the agent
     * when it comes from somebody on the list.
     */
    followUp?: boolean;
    /** Somebody else is addressed, so that the message is not for the agent, whoever writes it. */
    toOthers?: boolean;
  };
  /** Id to reply to, on platforms that show which message is answered. */
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

/** The calls by which a transport reports to the toolkit. */
export interface ChannelPort {
  /**
   * A message came in. Resolves when the message is stored and would survive the end of this process and of the app:
   * acknowledge it to the platform only then. While too many messages wait it does not resolve: read no further
   * messages from the platform until it does.
   */
  message(message: InboundMessage): Promise<void>;
  /**
   * The person of a direct conversation with `from.lasting: false` is gone, so that the next one there may be somebody
   * else: the conversation is over. What waits in it is dropped, its questions are withdrawn, and the next message
   * begins a session that knows nothing of the old one. After a loss of the connection the toolkit does this by itself.
   */
  left(conversation: string): void;
  /** Somebody to whom sending failed with `away` can be reached again: what waits for them is sent now. */
  back(conversation: string): void;
  /**
   * Whether somebody with this id may write directly, by the lists or because they were let in. For what a platform tells
   * people beside answers (receipts, contacts): whoever may not write should not learn that the account is in use.
   */
  mayWrite(userId: string): Promise<boolean>;
  /** A button was pressed. Resolves at once with a short sentence for the person who pressed it. */
  press(press: ButtonPress): Promise<string>;
  /** The connection was lost. `reason`: a {@link ChannelFailure}; anything else counts as `offline`. */
  lost(reason: unknown): void;
  /**
   * A problem that does not end the connection, for example a room that does not let the bot in; null when it is over.
   */
  trouble(sentence: string | null): void;
  /** The library is reconnecting by itself, for this reason; null when the connection works again. */
  degraded(reason: string | null): void;
}
