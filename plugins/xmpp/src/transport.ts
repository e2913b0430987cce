import { randomUUID } from "node:crypto";
import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import {
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  deafPort,
  fetchFile,
  type InboundFile,
  type MessageMark,
  type OutgoingPiece,
  type SentPiece,
  type SoughtPiece,
} from "@patchbay/plugin-sdk/channel";
import { type Element, jid, xml } from "@xmpp/client";
import type { CatchUp } from "./catch-up.ts";
import { encryptionOf, NOT_READ } from "./encryption.ts";
import { readMessage } from "./inbound.ts";
import { bareOf, NS, resourceOf } from "./namespaces.ts";
import { reaction } from "./reactions.ts";
import { XmppSession } from "./session.ts";
import { roomsOf, type XmppChannel } from "./settings.ts";
import { styled } from "./styling.ts";
import { findUploadService, upload } from "./upload.ts";

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
  /** Conversations in which it was said that encrypted messages are not read. */
  readonly #toldNotRead = new Set<string>();

  /**
   * @param resource the same each time on this machine, so that the server knows which session is replaced
   * @param catchUp null: nothing is read from the archive
   */
  constructor(settings: XmppChannel, resource: string, clock: ChannelClock, catchUp: CatchUp | null = null) {
    this.#catchUp = catchUp;
    this.#settings = settings;
    this.#resource = resource;
    this.#clock = clock;
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    if (this.#isReplaced) await this.#checkRival(signal);
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

  async wasSent(conversation: string, { id, since }: SoughtPiece): Promise<SentPiece | null | "unknown"> {
    const { muc, looks } = this.#live();
    const isRoom = muc.has(conversation);
    if (isRoom) await muc.inside(conversation);
    const isOwnNick = (nick: string) => muc.isOwnNick(nick);
    const found = await looks.has({ conversation, id, since, ...(isRoom && { isOwnNick }) });
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
    const type = this.#isRoom(conversation) ? "groupchat" : "chat";
    this.#live().hint(reaction(conversation, type, messageId, mark));
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
        if (message) await port.message(message);
        if (old) return;
        const mayWrite = await port.mayWrite(bareOf(stanza.attrs.from ?? ""));
        if (mayWrite) this.#confirmReceipt(session, stanza);
        this.#sayNotRead(session, stanza, mayWrite);
      },
      presence: (stanza) => void this.#letSubscribe(session, stanza, port),
      lost: (failure) => port.lost(this.#softened(failure)),
      degraded: (reason) => port.degraded(reason),
      trouble: (sentence) => port.trouble(sentence),
    });
    this.#session = session;
    this.#uploadService = undefined;
    await session.open(signal, announce);
    return { account: session.account };
  }

  /** Resolves when the server has it; in a room, when the room has shown it. */
  async #deliver(conversation: string, stanza: Element): Promise<void> {
    const session = this.#live();
    const { muc } = session;
    if (!muc.has(conversation)) return session.send(stanza);
    await muc.say(conversation, stanza, () => session.send(stanza));
  }

  #message(conversation: string, id: string, body: string, ...more: Element[]): Element {
    return xml(
      "message",
      { to: conversation, type: this.#isRoom(conversation) ? "groupchat" : "chat", id },
      xml("body", {}, withoutForbidden(body)),
      xml("origin-id", { xmlns: NS.stanzaId, id }),
      more,
    );
  }

  /**
   * Sends a receipt to a sender who asked for one (XEP-0184), once the message is stored. Whoever may not write gets none,
   * so that they do not learn that the account is in use.
   */
  #confirmReceipt(session: XmppSession, stanza: Element): void {
    const { id, from, type } = stanza.attrs;
    if (type === "groupchat" || type === "error" || id === undefined || from === undefined) return;
    if (!stanza.getChild("request", NS.receipts)) return;
    session.hint(xml("message", { to: from, type: "chat" }, xml("received", { xmlns: NS.receipts, id })));
  }

  /** Says once in a conversation that encryption is not read, to people who are allowed to write. */
  #sayNotRead(session: XmppSession, stanza: Element, mayWrite: boolean): void {
    const { from = "", type } = stanza.attrs;
    if (type === "error" || encryptionOf(stanza) !== "said") return;
    const conversation = bareOf(from);
    const isGroup = type === "groupchat";
    const isOwn = isGroup && resourceOf(from) === session.muc.nickIn(conversation);
    const isMeant = isGroup ? session.muc.has(conversation) && !isOwn : mayWrite;
    if (!isMeant || this.#toldNotRead.has(conversation) || conversation === session.account) return;
    this.#toldNotRead.add(conversation);
    session.hint(this.#message(conversation, randomUUID(), NOT_READ));
  }

  /** People on the list may see whether the agent is there. What others ask is left open, so that they learn nothing. */
  async #letSubscribe(session: XmppSession, stanza: Element, port: ChannelPort): Promise<void> {
    const { from = "", type } = stanza.attrs;
    const to = bareOf(from);
    if (type !== "subscribe" || !(await port.mayWrite(to))) return;
    session.hint(xml("presence", { to, type: "subscribed" }));
    // Their program may show only people as contacts who have asked for the same.
    session.hint(xml("presence", { to, type: "subscribe" }));
  }

  /** @throws ChannelFailure `offline` while another program has a session under the name of this one */
  async #checkRival(signal: AbortSignal): Promise<void> {
    const name = `${this.#settings.jid}/${this.#resource}`.toLowerCase();
    let isThere = false;
    const look = new XmppSession(
      { ...this.#settings, rooms: [] },
      `look-${randomUUID()}`,
      this.#clock,
      null,
      {
        message: async () => {},
        presence: ({ attrs }) => {
          if (attrs.from?.toLowerCase() === name) isThere = attrs.type === undefined;
        },
        lost() {},
        degraded() {},
        trouble() {},
      },
    );
    try {
      await look.open(signal, false);
      // With a priority below zero it is given no messages; the server tells it of the account's other sessions.
      look.hint(xml("presence", {}, xml("priority", {}, "-1")));
      await look.roundTrip();
    } finally {
      await look.close();
    }
    if (!isThere) return;
    const why =
      "another program has signed in with the same account and name; this one waits until it is gone";
    throw new ChannelFailure("offline", why);
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

/** Removes characters that XML 1.0 does not allow: they would end the stream. */
function withoutForbidden(text: string): string {
  return Array.from(text.toWellFormed())
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= 0x20 ? code !== 0xfffe && code !== 0xffff : code === 0x09 || code === 0x0a;
    })
    .join("");
}
