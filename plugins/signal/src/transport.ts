import type { ChannelAttachment, PluginLogger, PluginStorage } from "@patchbay/plugin-sdk";
import {
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  fetchFile,
  type InboundFile,
  type MessageMark,
  type OutgoingPiece,
  type SentPiece,
} from "@patchbay/plugin-sdk/channel";
import { type SendRequest, SignalApi, SignalRefusal } from "./api.ts";
import { toStyled } from "./formatting.ts";
import { Holders } from "./holders.ts";
import { type Answered, readEnvelope } from "./inbound.ts";
import { Receiver } from "./receiver.ts";
import type { SignalChannel } from "./settings.ts";
import { type Envelope, normalId } from "./wire.ts";

const reactions: Readonly<Record<MessageMark, string>> = { seen: "👀", working: "⏳" };

/** Timestamps of own messages, and of messages in groups, that are remembered. */
const MOST_SENT = 500;

/** One Signal account, as the channel toolkit drives it. A conversation is a person's id or a group (`group.…`). */
export class SignalTransport implements ChannelTransport {
  readonly limits = { piece: 1_900, unit: "bytes" as const, typingEveryMs: 10_000 };
  readonly #settings: SignalChannel;
  readonly #clock: ChannelClock;
  readonly #logger: PluginLogger;
  readonly #storage: PluginStorage;
  readonly #api: SignalApi;
  readonly #sent = new Set<number>();
  /** Who wrote the newest messages in groups, by their timestamps. */
  readonly #authors = new Map<string, string>();
  /** Accounts with a number of somebody else, which was said of each once. */
  readonly #impostors = new Set<string>();
  #holders: Holders | null = null;
  #uuid: string | null = null;
  #receiver: Receiver | null = null;

  constructor(settings: SignalChannel, clock: ChannelClock, storage: PluginStorage, logger: PluginLogger) {
    this.#settings = settings;
    this.#clock = clock;
    this.#storage = storage;
    this.#logger = logger;
    this.#api = new SignalApi(settings.server, clock);
  }

  async connect(port: ChannelPort, _signal: AbortSignal): Promise<{ account: string }> {
    const { server, number, owners, users, roomSettings } = this.#settings;
    const named = [...owners, ...users, ...roomSettings.flatMap((room) => room.users)];
    this.#holders ??= await Holders.open(this.#storage, named);
    await this.#checkMode();
    await this.#checkLinked();
    const receiver = new Receiver(server, number, this.#clock, {
      frame: ({ envelope }) => envelope && this.#take(envelope, port),
      odd: (sentence) => this.#logger.warn(sentence),
      lost: (failure) => port.lost(failure),
    });
    this.#receiver = receiver;
    await receiver.open();
    return { account: number };
  }

  async close(): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = null;
    await receiver?.close();
  }

  send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    const quote = piece.replyTo === undefined ? null : answeredOf(piece.replyTo);
    return this.#send({
      recipients: [conversation],
      message: toStyled(piece.text),
      ...(quote && { quote }),
    });
  }

  /** The author sees that a message was read, and, where the settings say so, reactions. */
  async mark(
    conversation: string,
    messageId: string,
    mark: MessageMark | null,
    before: MessageMark | null,
  ): Promise<void> {
    const { number, marks } = this.#settings;
    const author = conversation.startsWith("group.") ? this.#authors.get(messageId) : conversation;
    if (author === undefined) return;
    const timestamp = Number(messageId);
    if (mark === "seen") await this.#api.read(number, author, timestamp);
    const shown = mark ?? before;
    if (!marks || shown === null) return;
    const reaction = { recipient: conversation, emoji: reactions[shown], author, timestamp };
    await this.#api.react(number, mark !== null, reaction);
  }

  sendFile(conversation: string, file: ChannelAttachment): Promise<SentPiece> {
    const name = file.name.replace(/[;,\r\n]/g, "_");
    const attachment = `data:${file.mimeType};filename=${name};base64,${file.data}`;
    const voiceNote = file.voice !== undefined;
    return this.#send({ recipients: [conversation], message: "", attachments: [attachment], voiceNote });
  }

  async typing(conversation: string, on: boolean): Promise<void> {
    await this.#api.typing(this.#settings.number, conversation, on);
  }

  download(file: InboundFile, signal: AbortSignal): Promise<Uint8Array> {
    const { host, protocol } = new URL(this.#settings.server);
    return fetchFile(this.#api.attachmentAddress(file.ref), {
      hosts: [host],
      allowHttp: protocol === "http:",
      signal,
    });
  }

  async directConversation(userId: string): Promise<string | null> {
    return userId.startsWith("group.") ? null : normalId(userId);
  }

  /** Checks that the account is still linked: an unlinked one stays connected and receives nothing. */
  async ping(): Promise<void> {
    await this.#checkLinked();
  }

  #take(envelope: Envelope, port: ChannelPort): void {
    const { number } = this.#settings;
    const mine = envelope.sourceNumber && normalId(envelope.sourceNumber) === normalId(number);
    if (mine && envelope.sourceUuid) this.#uuid = envelope.sourceUuid;
    const message = readEnvelope(envelope, {
      number,
      uuid: this.#uuid,
      hasSent: (timestamp) => this.#sent.has(timestamp),
      isTheirs: (given, account) => this.#isTheirs(given, account),
    });
    if (message?.group && message.id !== undefined) {
      this.#authors.set(message.id, message.from.id);
      forgetOldest(this.#authors, MOST_SENT);
    }
    // Not awaited, because the server drops messages while the socket is not being read.
    if (message) void port.message(message).catch((error: unknown) => this.#logger.error(String(error)));
  }

  /** Whether a number stands for this account. */
  #isTheirs(given: string, account: string): boolean {
    if (this.#holders?.isOf(given, account) !== false) return true;
    if (this.#impostors.size < MOST_SENT && !this.#impostors.has(account)) {
      this.#impostors.add(account);
      this.#logger.warn(
        `Another Signal account than before has the number ${given}; it counts as somebody who is not named.`,
      );
    }
    return false;
  }

  async #send(request: SendRequest): Promise<SentPiece> {
    try {
      const messageId = await this.#api.send(this.#settings.number, request);
      this.#sent.add(Number(messageId));
      forgetOldest(this.#sent, MOST_SENT);
      return { messageId };
    } catch (error) {
      if (!(error instanceof SignalRefusal)) throw error;
      // The server gives the same error when the sender or the receiver is not registered, so it is checked which one.
      if (/authori[sz]|registered|unlinked/i.test(error.message)) await this.#checkLinked();
      throw new ChannelFailure("refused", sentenceOf(error.message));
    }
  }

  /** @throws ChannelFailure `fatal` */
  async #checkMode(): Promise<void> {
    const { mode } = await this.#asked(() => this.#api.about());
    const problem = modeProblem(mode);
    if (problem !== null) throw new ChannelFailure("fatal", problem);
  }

  /** @throws ChannelFailure `credentials` */
  async #checkLinked(): Promise<void> {
    const { number } = this.#settings;
    const accounts = await this.#asked(() => this.#api.accounts());
    if (accounts.some((account) => normalId(account) === normalId(number))) return;
    throw new ChannelFailure("credentials", `The server is no longer linked with ${number}. Link it again.`);
  }

  /** A refusal of a plain question is a fault of the server. */
  async #asked<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof SignalRefusal)) throw error;
      throw new ChannelFailure(
        "offline",
        `The Signal server answered with status ${error.status}: ${error.message}.`,
      );
    }
  }
}

function forgetOldest<T>(kept: Set<T> | Map<T, unknown>, most: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(oldest);
  }
}

/** What an answer refers to; null for the entry of an earlier version. */
function answeredOf(replyTo: string): Answered | null {
  try {
    return JSON.parse(replyTo) as Answered;
  } catch {
    return null;
  }
}

/**
 * What is wrong with the server's mode; null when nothing is. Only in `json-rpc` mode does it deliver messages as they
 * arrive.
 */
export function modeProblem(mode: string | null | undefined): string | null {
  if (mode === "json-rpc") return null;
  return `The Signal server runs in the mode “${mode ?? "unknown"}”. Start it again with MODE=json-rpc.`;
}

function sentenceOf(why: string): string {
  if (/untrusted/i.test(why)) {
    return `Signal holds the message back, because the other person's key has changed (a new phone, perhaps). Trust it on your phone. (${why})`;
  }
  return `Signal did not take the message: ${why}`;
}
