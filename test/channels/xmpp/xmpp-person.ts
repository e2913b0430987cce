import { randomUUID } from "node:crypto";
import { type Client, client, type Element, xml } from "@xmpp/client";
import { readWhole } from "../../../plugins/xmpp/src/stream/reading.ts";
import { signInQuickly } from "../../../plugins/xmpp/src/stream/signing-in.ts";

const MUC = "http://jabber.org/protocol/muc";

/** Somebody with an XMPP client who knows nothing of the bot. */
export class XmppPerson {
  readonly name: string;
  /** The bare address of who said it or of the room, the name in the room, and what was said. */
  readonly heard: { where: string; nick: string; text: string; id: string }[] = [];
  /** The ids that rooms gave to what was said there, by text. */
  readonly givenIds = new Map<string, string>();
  /** Reactions that came in: to the message with which id, and which. */
  readonly reactions: { id: string; emojis: string[] }[] = [];
  /** Every stanza that came in, as text. */
  readonly stanzas: string[] = [];
  readonly #port: () => number;
  readonly #rooms: readonly string[];
  readonly #onStanza: () => void;
  #client!: Client;
  #last: Element | null = null;

  constructor(name: string, port: () => number, rooms: readonly string[], onStanza: () => void) {
    this.name = name;
    this.#port = port;
    this.#rooms = rooms;
    this.#onStanza = onStanza;
  }

  /** @param resource the name of this program among those of the account; default: the server makes one up */
  async connect(resource?: string): Promise<void> {
    this.#client = client({
      service: `xmpp://127.0.0.1:${this.#port()}`,
      domain: "localhost",
      username: this.name,
      password: `secret-of-${this.name}`,
      ...(resource !== undefined && { resource }),
      // The processor may be busy with others who sign in.
      timeout: 60_000,
    });
    this.#client.reconnect.stop();
    this.#client.on("error", () => {});
    // A message and the question whether it has arrived are two small packets; the second would wait for the first.
    this.#client.on("connect", () => this.#client.socket?.setNoDelay?.(true));
    this.#client.on("stanza", (stanza) => this.#receive(stanza));
    readWhole(this.#client);
    signInQuickly();
    this.#countRight(this.#client);
    const counting = new Promise<void>((resolve) => {
      this.#client.on("nonza", (nonza) => nonza.is("enabled") && setImmediate(resolve));
    });
    await this.#client.start();
    await counting;
    // Who has not asked for the contacts is not told what becomes of them.
    await this.request(xml("iq", { type: "get" }, xml("query", { xmlns: "jabber:iq:roster" })));
    await this.#client.send(xml("presence"));
    for (const room of this.#rooms) {
      const x = xml("x", { xmlns: MUC }, xml("history", { maxstanzas: "0" }));
      await this.#client.send(xml("presence", { to: `${room}/${this.name}` }, x));
    }
    await this.synced();
  }

  /** Sends a message and resolves when the server has dealt with it. */
  async say(to: string, type: "chat" | "groupchat", body: string, ...more: Element[]): Promise<void> {
    await this.send(xml("message", { to, type, id: randomUUID() }, xml("body", {}, body), more));
  }

  async send(stanza: Element): Promise<void> {
    this.#last = stanza;
    await this.#client.send(stanza);
    await this.synced();
  }

  /** The last message once more, as it was. */
  async again(): Promise<void> {
    if (this.#last) await this.#client.send(this.#last);
    await this.synced();
  }

  request(stanza: Element, timeoutMs = 10_000): Promise<Element> {
    return this.#client.iqCaller.request(stanza, timeoutMs);
  }

  async synced(): Promise<void> {
    await this.request(xml("iq", { type: "get", to: "localhost" }, xml("ping", { xmlns: "urn:xmpp:ping" })));
  }

  get isOnline(): boolean {
    return this.#client.status === "online";
  }

  async disconnect(): Promise<void> {
    await this.#client.stop().catch(() => {});
  }

  /**
   * The library does not count answers to its own questions; ejabberd hangs up on who has not counted for a minute. And it
   * begins to count a moment after the server's word that it counts: what comes in one packet with that word waits, or it
   * would not be counted, and if the server asks in that packet, it would be told the count of before, and hang up.
   */
  #countRight(xmpp: Client): void {
    const pass = xmpp._onElement.bind(xmpp);
    let held: Element[] | null = null;
    const take = (element: Element) => {
      if (held) return void held.push(element);
      const { id = "", type } = element.attrs;
      const own = element.name === "iq" && type !== "get" && type !== "set" && xmpp.iqCaller.handlers.has(id);
      pass(element);
      if (own && xmpp.streamManagement.enabled) xmpp.streamManagement.inbound += 1;
      if (!element.is("enabled")) return;
      held = [];
      setImmediate(() => {
        const rest = held ?? [];
        held = null;
        for (const one of rest) take(one);
      });
    };
    xmpp._onElement = take;
  }

  #receive(stanza: Element): void {
    this.stanzas.push(stanza.toString());
    const reactions = stanza.getChild("reactions", "urn:xmpp:reactions:0");
    if (reactions) {
      const emojis = reactions.getChildren("reaction").map((one) => one.text());
      this.reactions.push({ id: reactions.attrs.id ?? "", emojis });
    }
    const body = stanza.getChildText("body");
    const given = stanza.getChild("stanza-id", "urn:xmpp:sid:0")?.attrs;
    if (body !== null && stanza.attrs.type === "groupchat" && given?.id) this.givenIds.set(body, given.id);
    if (stanza.name === "message" && body !== null && stanza.attrs.type !== "error") {
      const [where = "", nick = ""] = (stanza.attrs.from ?? "").split("/");
      // A server gives once more what it does not know to have arrived; every client leaves that out.
      const id = stanza.attrs.id ?? "";
      if (stanza.getChild("delay", "urn:xmpp:delay") && this.heard.some((before) => before.id === id)) return;
      const replaced = stanza.getChild("replace", "urn:xmpp:message-correct:0")?.attrs.id;
      const before = this.heard.find((one) => one.id === replaced);
      if (before) before.text = body;
      else this.heard.push({ where, nick, text: body, id });
    }
    this.#onStanza();
  }
}
