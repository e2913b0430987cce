import {
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  type OutgoingPiece,
  type SentPiece,
} from "@patchbay/plugin-sdk/channel";
import { IrcConnection } from "./connection.ts";
import { countLines, LINE_BYTES } from "./formatting.ts";
import { readMessage } from "./inbound.ts";
import type { IrcChannel } from "./settings.ts";

/** Lines that are sent as one message of the toolkit, which remembers its progress from one message to the next. */
const LINES_TOGETHER = 4;

/** Characters of a call that people read whole before they allow it: two lines, with the one that says what they are. */
const APPROVAL_CHARACTERS = 600;

/** One IRC network as a transport. A conversation is a nick or a channel, folded as the server compares names. */
export class IrcTransport implements ChannelTransport {
  readonly limits = {
    piece: LINES_TOGETHER,
    unit: (text: string) => countLines(text, LINE_BYTES),
    approval: APPROVAL_CHARACTERS,
  };
  readonly #settings: IrcChannel;
  readonly #clock: ChannelClock;
  #connection: IrcConnection | null = null;

  constructor(settings: IrcChannel, clock: ChannelClock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    const connection = new IrcConnection(this.#settings, this.#clock, {
      message: (event, action) => {
        const message = readMessage(event, action, connection.identity);
        if (message) void port.message(message).catch(() => {});
      },
      lost: (failure) => port.lost(failure),
      trouble: (sentence) => port.trouble(sentence),
    });
    this.#connection = connection;
    await connection.open(signal);
    return { account: connection.account };
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close();
  }

  async send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    if (!this.#connection) throw new ChannelFailure("offline", "There is no connection.");
    await this.#connection.say(conversation, piece.text);
    return {};
  }

  async ping(): Promise<void> {
    await this.#connection?.roundTrip();
  }

  async directConversation(userId: string): Promise<string | null> {
    const [nick, mask] = userId.split("!");
    return nick && mask ? (this.#connection?.fold(nick) ?? null) : null;
  }
}
