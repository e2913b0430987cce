import { randomUUID } from "node:crypto";
import { type Element, xml } from "@xmpp/client";
import { encryptionOf, NOT_READ } from "./messages/encryption.ts";
import { messageStanza } from "./messages/stanzas.ts";
import { bareOf, NS, resourceOf } from "./namespaces.ts";
import type { XmppSession } from "./stream/session.ts";

/** What the agent does for people who are allowed to write, besides answering. Others learn nothing. */
export class Courtesies {
  readonly #knows: (bare: string) => boolean;
  /** Conversations in which it was said that encrypted messages are not read. */
  readonly #toldNotRead = new Set<string>();

  /** @param knows whether somebody with this bare address is allowed to write */
  constructor(knows: (bare: string) => boolean) {
    this.#knows = knows;
  }

  /** A message came in and is stored. */
  message(session: XmppSession, stanza: Element): void {
    this.#confirmReceipt(session, stanza);
    this.#sayNotRead(session, stanza);
  }

  /** Lets people on the list see whether the agent is there. What others ask is left open, so that they learn nothing. */
  presence(session: XmppSession, stanza: Element): void {
    const { from = "", type } = stanza.attrs;
    const to = bareOf(from);
    if (type !== "subscribe" || !this.#knows(to)) return;
    session.hint(xml("presence", { to, type: "subscribed" }));
    // Their program may show only people as contacts who have asked for the same.
    session.hint(xml("presence", { to, type: "subscribe" }));
  }

  /** Sends a receipt to a sender who asked for one (XEP-0184). */
  #confirmReceipt(session: XmppSession, stanza: Element): void {
    const { id, from, type } = stanza.attrs;
    if (type === "groupchat" || type === "error" || id === undefined || from === undefined) return;
    if (!stanza.getChild("request", NS.receipts) || !this.#knows(bareOf(from))) return;
    session.hint(xml("message", { to: from, type: "chat" }, xml("received", { xmlns: NS.receipts, id })));
  }

  /** Says once in a conversation that encryption is not read. */
  #sayNotRead(session: XmppSession, stanza: Element): void {
    const { from = "", type } = stanza.attrs;
    if (type === "error" || encryptionOf(stanza) !== "said") return;
    const conversation = bareOf(from);
    const isGroup = type === "groupchat";
    const isOwn = isGroup && resourceOf(from) === session.muc.nickIn(conversation);
    const isMeant = isGroup ? session.muc.has(conversation) && !isOwn : this.#knows(conversation);
    if (!isMeant || this.#toldNotRead.has(conversation) || conversation === session.account) return;
    this.#toldNotRead.add(conversation);
    session.hint(messageStanza(conversation, isGroup ? "groupchat" : "chat", randomUUID(), NOT_READ));
  }
}
