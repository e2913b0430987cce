import { randomUUID } from "node:crypto";
import type { ChannelPort } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { encryptionOf, NOT_READ } from "./messages/encryption.ts";
import { messageStanza } from "./messages/stanzas.ts";
import { bareOf, NS, resourceOf } from "./namespaces.ts";
import type { XmppSession } from "./stream/session.ts";

/** What the agent does for people who are allowed to write, besides answering. Others learn nothing. */
export class Courtesies {
  /** Conversations in which it was said that encrypted messages are not read. */
  readonly #toldNotRead = new Set<string>();
  readonly #say: (sentence: string) => string;

  /** @param say a sentence in the language of the chats */
  constructor(say: (sentence: string) => string) {
    this.#say = say;
  }

  /** A message came in and is stored. */
  async message(session: XmppSession, stanza: Element, port: ChannelPort): Promise<void> {
    const mayWrite = await port.mayWrite(bareOf(stanza.attrs.from ?? ""));
    if (mayWrite) this.#confirmReceipt(session, stanza);
    this.#sayNotRead(session, stanza, mayWrite);
  }

  /** Lets people on the list see whether the agent is there. What others ask is left open, so that they learn nothing. */
  async presence(session: XmppSession, stanza: Element, port: ChannelPort): Promise<void> {
    const { from = "", type } = stanza.attrs;
    const to = bareOf(from);
    if (type !== "subscribe" || !(await port.mayWrite(to))) return;
    session.hint(xml("presence", { to, type: "subscribed" }));
    // Their program may show only people as contacts who have asked for the same.
    session.hint(xml("presence", { to, type: "subscribe" }));
  }

  /** Sends a receipt to a sender who asked for one (XEP-0184). */
  #confirmReceipt(session: XmppSession, stanza: Element): void {
    const { id, from, type } = stanza.attrs;
    if (type === "groupchat" || type === "error" || id === undefined || from === undefined) return;
    if (!stanza.getChild("request", NS.receipts)) return;
    session.hint(xml("message", { to: from, type: "chat" }, xml("received", { xmlns: NS.receipts, id })));
  }

  /** Says once in a conversation that encryption is not read. */
  #sayNotRead(session: XmppSession, stanza: Element, mayWrite: boolean): void {
    const { from = "", type } = stanza.attrs;
    if (type === "error" || encryptionOf(stanza) !== "said") return;
    const conversation = bareOf(from);
    const isGroup = type === "groupchat";
    const isOwn = isGroup && resourceOf(from) === session.muc.nickIn(conversation);
    const isMeant = isGroup ? session.muc.has(conversation) && !isOwn : mayWrite;
    if (!isMeant || this.#toldNotRead.has(conversation) || conversation === session.account) return;
    this.#toldNotRead.add(conversation);
    const kind = isGroup ? "groupchat" : "chat";
    session.hint(messageStanza(conversation, kind, randomUUID(), this.#say(NOT_READ)));
  }
}
