import {
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  type OutgoingPiece,
  type SentPiece,
} from "@patchbay/plugin-sdk/channel";
import { AccountDoubt } from "./account-doubt.ts";
import { IrcConnection, type Memory } from "./connection.ts";
import type { IrcChannel } from "./settings.ts";
import { countLines, LINE_BYTES } from "./text/formatting.ts";
import type { Heard } from "./who/inbound.ts";
import { LastNicks } from "./who/last-nicks.ts";
import { conversationOf } from "./wire/names.ts";

/** Lines that are sent as one message of the toolkit, which remembers its progress from one message to the next. */
const LINES_TOGETHER = 4;

/** Characters of a call that people read whole before they allow it: two lines, with the one that says what they are. */
const APPROVAL_CHARACTERS = 600;

/** One IRC network as a transport. A conversation is a channel, an account, or the stay of somebody without one. */
export class IrcTransport implements ChannelTransport {
  readonly limits = {
    piece: LINES_TOGETHER,
    unit: (text: string) => countLines(text, LINE_BYTES),
    approval: APPROVAL_CHARACTERS,
  };
  readonly #settings: IrcChannel;
  readonly #clock: ChannelClock;
  readonly #memory: Memory;
  #connection: IrcConnection | null = null;

  constructor(settings: IrcChannel, clock: ChannelClock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#memory = { lastNicks: new LastNicks(), doubt: new AccountDoubt(clock), slower: 1 };
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    // Messages of one nick in their order, although the server is asked whose they are.
    const turns = new Map<string, Promise<void>>();
    const connection = new IrcConnection(this.#settings, this.#clock, this.#memory, {
      message: (heard) => {
        const arrival = connection.people.arrival();
        const key = heard.said.nick.toLowerCase();
        const now = (turns.get(key) ?? Promise.resolve()).then(() => pass(heard, arrival, connection, port));
        turns.set(key, now);
        void now.then(() => {
          if (turns.get(key) === now) turns.delete(key);
        });
      },
      lost: (failure) => port.lost(failure),
      trouble: (sentence) => port.trouble(sentence),
      left: (conversation) => port.left(conversation),
      back: (conversation) => port.back(conversation),
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
    const connection = this.#connection;
    if (!connection) throw new ChannelFailure("offline", "There is no connection.");
    const inRoom = connection.identity.channelTypes.includes(conversation.charAt(0));
    const target = inRoom ? async () => conversation : await connection.people.reach(conversation);
    await connection.say(target, piece.text);
    return {};
  }

  async ping(): Promise<void> {
    await this.#connection?.roundTrip();
  }

  async directConversation(account: string): Promise<string | null> {
    return conversationOf(account);
  }
}

/** Passes a message on when it is known whose it is. Never rejects. */
async function pass(
  heard: Heard,
  arrival: number,
  connection: IrcConnection,
  port: ChannelPort,
): Promise<void> {
  try {
    const speaker = await connection.people.speaker(heard.said, arrival);
    // That it was stored is not waited for: IRC wants no acknowledgement.
    if (speaker) void port.message(heard.by(speaker)).catch(() => {});
  } catch {
    // The connection went while the server was asked; the person will not get an answer and sees the bot leave.
  }
}
