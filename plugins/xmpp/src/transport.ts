import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import {
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  deafPort,
  fetchFile,
  type InboundFile,
  type InboundMessage,
  type MessageMark,
  type OutgoingPiece,
  type SentPiece,
  type SoughtPiece,
} from "@patchbay/plugin-sdk/channel";
import { type Element, jid, xml } from "@xmpp/client";
import { Courtesies } from "./courtesies.ts";
import { InTurn } from "./messages/in-turn.ts";
import { readMessage } from "./messages/inbound.ts";
import { reaction } from "./messages/reactions.ts";
import { messageStanza } from "./messages/stanzas.ts";
import { styled } from "./messages/styling.ts";
import { findUploadService, upload } from "./messages/upload.ts";
import { NS, resourceOf } from "./namespaces.ts";
import { roomsOf, type XmppChannel } from "./settings.ts";
import type { CatchUp } from "./stream/catch-up.ts";
import { checkRival } from "./stream/rival.ts";
import { XmppSession } from "./stream/session.ts";

/** Bytes of one message: well below the limits of servers, and still readable. */
const PIECE_BYTES = 10_000;

/** One account, as the channel toolkit drives it. A conversation is the bare address of a person or a room. */
export class XmppTransport implements ChannelTransport {
  readonly limits = { piece: PIECE_BYTES, unit: "bytes", typingEveryMs: 20_000 } as const;
  readonly #settings: XmppChannel;
  readonly #resource: string;
  readonly #clock: ChannelClock;
  #session: XmppSession | null = null;
  /** Undefined: not looked for yet. */
  #uploadService: string | null | undefined;

  readonly #catchUp: CatchUp | null;
  /** Another program has taken over the name of this session. */
  #isReplaced = false;
  /** The account was let in once: what the server says later against its domain or account passes. */
  #wasIn = false;
  readonly #courtesies: Courtesies;
  readonly #inTurn = new InTurn();

  /**
   * @param resource the same each time on this machine, so that the server knows which session is replaced
   * @param catchUp null: nothing is read from the archive
   * @param say a sentence in the language of the chats
   */
  constructor(
    settings: XmppChannel,
    resource: string,
    clock: ChannelClock,
    catchUp: CatchUp | null = null,
    say: (sentence: string) => string = (sentence) => sentence,
  ) {
    this.#courtesies = new Courtesies(say);
    this.#catchUp = catchUp;
    this.#settings = settings;
    this.#resource = resource;
    this.#clock = clock;
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    if (this.#isReplaced) await checkRival(this.#settings, this.#resource, this.#clock, signal);
    this.#isReplaced = false;
    try {
      const connected = await this.#open(port, signal, true);
      this.#wasIn = true;
      return connected;
    } catch (error) {
      throw this.#softened(error);
    }
  }

  /** Signs in without announcing the bot, so that waiting messages are not delivered to this session. */
  prove(signal: AbortSignal): Promise<{ account: string }> {
    return this.#open(deafPort, signal, false);
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#isReplaced ||= session?.isReplaced === true;
    this.#catchUp?.stop();
    await session?.close();
  }

  async send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    await this.#deliver(conversation, this.#message(conversation, piece.id, styled(piece.text)));
    return { messageId: piece.id };
  }

  async wasSent(
    conversation: string,
    { id, since, answers }: SoughtPiece,
  ): Promise<SentPiece | null | "unknown"> {
    const { muc, looks } = this.#live();
    const isRoom = muc.has(conversation);
    if (isRoom) await muc.inside(conversation);
    const isOwnNick = (nick: string) => muc.isOwnNick(nick);
    const found = await looks.has({
      conversation,
      id,
      since,
      ...(answers !== undefined && { answers }),
      ...(isRoom && { isOwnNick }),
    });
    if (found === "unknown") return found;
    return found ? { messageId: id } : null;
  }

  async edit(conversation: string, messageId: string, piece: OutgoingPiece): Promise<void> {
    const correction = xml("replace", { xmlns: NS.correction, id: messageId });
    await this.#deliver(conversation, this.#message(conversation, piece.id, styled(piece.text), correction));
  }

  async typing(conversation: string, on: boolean): Promise<void> {
    if (this.#isRoom(conversation)) return;
    const state = xml(on ? "composing" : "active", { xmlns: NS.chatStates });
    this.#live().hint(xml("message", { to: conversation, type: "chat" }, state));
  }

  async mark(conversation: string, messageId: string, mark: MessageMark | null): Promise<void> {
    this.#live().hint(reaction(conversation, this.#typeIn(conversation), messageId, mark));
  }

  async sendFile(conversation: string, file: ChannelAttachment, id: string): Promise<SentPiece> {
    const session = this.#live();
    const request = (stanza: Element) => session.request(stanza);
    this.#uploadService ??= await findUploadService(jid(this.#settings.jid).domain, request);
    if (this.#uploadService === null) throw new ChannelFailure("refused", "this server takes no files");
    const address = await upload(file, this.#uploadService, request);
    const oob = xml("x", { xmlns: NS.oob }, xml("url", {}, address));
    await this.#deliver(conversation, this.#message(conversation, id, address, oob));
    return { messageId: id };
  }

  async download(file: InboundFile, signal: AbortSignal): Promise<Uint8Array> {
    const { hostname } = new URL(file.ref);
    const domain = jid(this.#settings.jid).domain;
    const near = hostname === domain || hostname.endsWith(`.${domain}`);
    const hosts = [...this.#settings.fileHosts, ...(near ? [hostname] : [])];
    return fetchFile(file.ref, { hosts, signal, allowHttp: !this.#settings.encrypted });
  }

  async directConversation(userId: string): Promise<string | null> {
    // With a name behind it, it may be somebody in a room: there anybody can take the name.
    const bare = userId.toLowerCase();
    return resourceOf(bare) !== "" || this.#isRoom(bare) ? null : bare;
  }

  async ping(): Promise<void> {
    const session = this.#live();
    await session.roundTrip();
    await session.muc.check();
  }

  async #open(port: ChannelPort, signal: AbortSignal, announce: boolean): Promise<{ account: string }> {
    const catchUp = announce ? this.#catchUp : null;
    const session = new XmppSession(this.#settings, this.#resource, this.#clock, catchUp, {
      message: async (stanza, old) => {
        const message = readMessage(stanza, session.surroundings);
        if (message) await port.message(await this.#withKind(session, stanza, message));
        if (!old) await this.#courtesies.message(session, stanza, port);
      },
      presence: (stanza) => void this.#courtesies.presence(session, stanza, port),
      lost: (failure) => port.lost(this.#softened(failure)),
      degraded: (reason) => port.degraded(reason),
      trouble: (sentence) => port.trouble(sentence),
    });
    this.#session = session;
    this.#uploadService = undefined;
    await session.open(signal, announce);
    return { account: session.account };
  }

  /** The message, with whether a bot wrote it. Those of one conversation keep their order. */
  async #withKind(session: XmppSession, stanza: Element, message: InboundMessage): Promise<InboundMessage> {
    const { from = "" } = stanza.attrs;
    const asks = message.kind === "message" && !message.from.self && resourceOf(from) !== "";
    const asked = asks ? session.bots.isBot(from, message.from.id) : Promise.resolve(false);
    const bot = await this.#inTurn.run(message.conversation, asked);
    return { ...message, from: { ...message.from, bot } };
  }

  /** Resolves when the server has it; in a room, when the room has shown it. */
  async #deliver(conversation: string, stanza: Element): Promise<void> {
    const session = this.#live();
    const { muc } = session;
    if (!muc.has(conversation)) return session.send(stanza);
    await muc.say(conversation, stanza, () => session.send(stanza));
  }

  #message(conversation: string, id: string, body: string, ...more: Element[]): Element {
    return messageStanza(conversation, this.#typeIn(conversation), id, body, ...more);
  }

  #typeIn(conversation: string): "chat" | "groupchat" {
    return this.#isRoom(conversation) ? "groupchat" : "chat";
  }

  /** An account that was let in before is let in again some time: the server may just be starting. */
  #softened(error: unknown): unknown {
    if (!(error instanceof ChannelFailure) || error.kind !== "fatal" || !this.#wasIn) return error;
    return new ChannelFailure("offline", error.message);
  }

  #isRoom(conversation: string): boolean {
    return roomsOf(this.#settings).has(conversation);
  }

  #live(): XmppSession {
    if (!this.#session) throw new ChannelFailure("offline", "There is no connection.");
    return this.#session;
  }
}
