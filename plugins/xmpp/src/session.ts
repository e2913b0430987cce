import { type ChannelClock, ChannelFailure, pause, within } from "@patchbay/plugin-sdk/channel";
import { type Client, client, type Element, jid, xml } from "@xmpp/client";
import { Archive } from "./archive.ts";
import type { CatchUp } from "./catch-up.ts";
import { failureFrom } from "./failures.ts";
import { RoomIds } from "./ids.ts";
import type { Surroundings } from "./inbound.ts";
import { Muc } from "./muc.ts";
import { bareOf, NS } from "./namespaces.ts";
import type { XmppChannel } from "./settings.ts";

/** How long the server may take for one step of connecting, in milliseconds. */
const STEP_MS = 10_000;
/** How long a server may take to confirm a message. */
const CONFIRM_MS = 60_000;
const GOODBYE_MS = 1_000;
/** First and longest wait before a lost connection is resumed; the wait doubles each time. Milliseconds. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** Servers keep a stream for about ten minutes. After this long the connection counts as lost. Milliseconds. */
const RESUME_WITHIN_MS = 5 * 60_000;
/** How long a connection must last until the waits begin anew. Milliseconds. */
const PROVEN_MS = 60_000;

export interface SessionEvents {
  /**
   * Resolves when the message is safe; only then the server is told that it arrived.
   *
   * @param old it is from the archive
   */
  message(stanza: Element, old: boolean): Promise<void>;
  presence(stanza: Element): void;
  lost(failure: ChannelFailure): void;
  degraded(reason: string | null): void;
  trouble(sentence: string | null): void;
}

/** One XMPP stream to one server. After a short interruption the same stream is resumed. */
export class XmppSession {
  readonly surroundings: Surroundings;
  readonly muc: Muc;
  readonly archive: Archive;
  readonly #settings: XmppChannel;
  readonly #clock: ChannelClock;
  readonly #events: SessionEvents;
  readonly #client: Client;
  readonly #closed = new AbortController();
  readonly #unconfirmed = new Map<Element, { confirm(): void; fail(): void }>();
  /** Messages that are being stored. */
  readonly #storing = new Set<Promise<void>>();
  readonly #catchUp: CatchUp | null;
  /** What comes in by itself while the archive is read after signing in; it is taken after what the archive gives. Else null. */
  #behind: Element[] | null = null;
  #readings = 0;
  /** Everything that came up to now is safe; rejected for good when something of it could not be stored. */
  #safe: Promise<unknown> = Promise.resolve();
  readonly #dropped = Promise.withResolvers<never>();
  #elements: Promise<void> = Promise.resolve();
  #held = 0;
  #started = false;
  #attempts = 0;
  #upSince = 0;
  #isReplaced = false;
  /** When the present interruption was noticed, milliseconds; null while connected. */
  #cutAt: number | null = null;
  #reason: ChannelFailure | null = null;

  /** @param catchUp null: nothing is read from the archive */
  constructor(
    settings: XmppChannel,
    resource: string,
    clock: ChannelClock,
    catchUp: CatchUp | null,
    events: SessionEvents,
  ) {
    this.#catchUp = catchUp;
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    const address = jid(settings.jid);
    this.#client = client({
      service: settings.host === "" ? address.domain : `xmpp://${settings.host}`,
      domain: address.domain,
      username: address.local,
      password: settings.password,
      resource,
      timeout: STEP_MS,
    });
    // The library would reconnect every second without end; `#resume` waits longer each time and gives up.
    this.#client.reconnect.stop();
    this.#dropped.promise.catch(() => {});
    this.#client.streamManagement.requestAckDebounce = 20;
    const request = (stanza: Element) => this.request(stanza);
    this.muc = new Muc({
      settings,
      clock,
      request,
      hint: (stanza) => this.hint(stanza),
      trouble: (sentence) => events.trouble(sentence),
    });
    const self = bareOf(settings.jid);
    this.archive = new Archive({ self, request });
    const { muc } = this;
    this.surroundings = {
      self,
      isRoom: (bare) => muc.has(bare),
      isLive: (room) => muc.occupants.isLive(room),
      nickIn: (room) => muc.nickIn(room),
      realAddress: (room, nick) => muc.occupants.realAddress(room, nick),
      ids: new RoomIds(),
    };
  }

  /** The server has given the name of this session to another program that signed in with it. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  get account(): string {
    return bareOf(this.#settings.jid);
  }

  /**
   * @param announce say that the bot is there: only then messages come in
   * @throws ChannelFailure `credentials`, `fatal` or `offline`
   */
  async open(signal: AbortSignal, announce = true): Promise<void> {
    this.#listen();
    const stopped = new Promise<never>((_, reject) => {
      const stop = () => reject(new ChannelFailure("offline", "The channel stops."));
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
    try {
      await Promise.race([this.#client.start(), stopped, this.#dropped.promise]);
    } catch (error) {
      throw this.#reason ?? (error instanceof ChannelFailure ? error : failureFrom(error as Error));
    }
    if (this.#settings.encrypted && !this.#client.isSecure()) {
      throw new ChannelFailure("fatal", "The server offers no encryption.");
    }
    this.#started = true;
    this.#upSince = this.#clock.now();
    if (announce) await this.#comeIn();
  }

  /** Resolves when the server has taken the stanza. @throws ChannelFailure `offline` when that cannot be known */
  async send(stanza: Element): Promise<void> {
    if (this.#closed.signal.aborted) throw this.#failure();
    const confirmed = this.#client.streamManagement.enabled
      ? this.#confirmation(stanza)
      : this.#write(stanza).then(() => this.roundTrip());
    const late = () => new ChannelFailure("offline", "The server does not confirm messages any more.");
    await within(this.#clock, CONFIRM_MS, confirmed, late);
  }

  async request(stanza: Element): Promise<Element> {
    if (!this.#isOpen) throw this.#failure();
    return this.#client.iqCaller.request(stanza, STEP_MS);
  }

  /** Sends what needs no confirmation, if there is a connection. */
  hint(stanza: Element): void {
    if (this.#isOpen) void this.#client.send(stanza).catch(() => {});
  }

  async roundTrip(): Promise<void> {
    await this.request(xml("iq", { type: "get", to: this.#domain }, xml("ping", { xmlns: NS.ping })));
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.muc.stop();
    const late = () => new ChannelFailure("offline", "The server did not hang up.");
    const socket = this.#client.socket;
    await within(this.#clock, GOODBYE_MS, this.#client.stop(), late).catch(() => socket?.destroy?.());
    for (const { fail } of this.#unconfirmed.values()) fail();
  }

  #confirmation(stanza: Element): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#unconfirmed.set(stanza, { confirm: resolve, fail: () => reject(this.#failure()) });
    this.#write(stanza).then(() => this.#failUntracked(stanza), reject);
    return promise.finally(() => this.#unconfirmed.delete(stanza));
  }

  async #write(stanza: Element): Promise<void> {
    if (!this.#isOpen) throw this.#failure();
    try {
      await this.#client.send(stanza);
    } catch {
      // Without a socket the library throws an error that says nothing about the connection.
      throw this.#failure();
    }
  }

  /**
   * Fails a stanza that the library does not track. On resuming, the library sends again only stanzas that it has seen
   * written. One that was interrupted on its way to the socket, or while being sent again, would never be confirmed.
   */
  #failUntracked(stanza: Element): void {
    const { outbound_q: tracked } = this.#client.streamManagement;
    if (!tracked.some((item) => item.stanza === stanza)) this.#unconfirmed.get(stanza)?.fail();
  }

  #listen(): void {
    const xmpp = this.#client;
    xmpp.on("error", (error) => {
      const failure = failureFrom(error);
      if (failure.kind !== "offline" || this.#reason === null) this.#reason = failure;
      const { condition } = error;
      if (condition === "conflict") this.#isReplaced = true;
      if ((failure.kind !== "offline" || condition === "conflict") && this.#started)
        this.#events.lost(failure);
    });
    // A message and the request for its acknowledgement are two small packets; with TCP's default the second would wait
    // for the first to be acknowledged.
    xmpp.on("connect", () => xmpp.socket?.setNoDelay?.(true));
    xmpp.on("online", () => {
      if (this.#started)
        void this.#comeIn().then(
          () => this.#recovered(),
          () => {},
        );
    });
    xmpp.on("disconnect", () => {
      // Rejected now, because the library would wait for its own time limit.
      this.#dropped.reject(this.#failure());
      for (const stanza of this.#unconfirmed.keys()) this.#failUntracked(stanza);
      void this.#resume();
    });
    xmpp.on("stanza", (stanza) => this.#onStanza(stanza));
    xmpp.streamManagement.on("resumed", () => this.#recovered());
    xmpp.streamManagement.on("ack", (stanza) => this.#unconfirmed.get(stanza)?.confirm());
    xmpp.streamManagement.on("fail", (stanza) => this.#unconfirmed.get(stanza)?.fail());
    const original = xmpp._onElement.bind(xmpp);
    const pass = (element: Element) => {
      const { id = "", type } = element.attrs;
      // The library does not count answers to its own questions as received. The server keeps every stanza that was not
      // counted, until it has too many, so they are counted here.
      const uncounted =
        element.name === "iq" && type !== "get" && type !== "set" && xmpp.iqCaller.handlers.has(id);
      original(element);
      if (uncounted && xmpp.streamManagement.enabled) xmpp.streamManagement.inbound += 1;
    };
    xmpp._onElement = (element) => this.#inOrder(element, pass);
  }

  /**
   * Holds back two kinds of elements, and everything behind them. `<r/>` asks what has arrived: it waits until the
   * messages before it are stored. `<enabled/>` starts the counting: a moment later the library sets its count to zero,
   * so anything handled before that would not be counted.
   */
  #inOrder(element: Element, pass: (element: Element) => void): void {
    const asks = element.is("r", NS.sm);
    const counts = element.is("enabled", NS.sm);
    if (this.#held === 0 && !counts && !(asks && this.#storing.size > 0)) {
      pass(element);
      return;
    }
    this.#held += 1;
    this.#elements = this.#elements.then(async () => {
      try {
        if (asks) await Promise.allSettled(this.#storing);
        pass(element);
        if (counts) await new Promise((resolve) => setImmediate(resolve));
      } finally {
        this.#held -= 1;
      }
    });
  }

  #onStanza(stanza: Element): void {
    if (stanza.name === "presence") {
      this.muc.presence(stanza);
      this.#events.presence(stanza);
    }
    if (stanza.name !== "message" || this.archive.take(stanza) || this.muc.message(stanza)) return;
    // Told to the server as received: what waits here is in the archive, and read from there after a crash.
    if (this.#behind && stanza.attrs.type !== "groupchat") this.#behind.push(stanza);
    else this.#keep(this.#events.message(stanza, false), stanza);
  }

  #keep(storing: Promise<void>, stanza: Element): void {
    this.#storing.add(storing);
    const given = stanza
      .getChildren("stanza-id", NS.stanzaId)
      .find(({ attrs }) => bareOf(attrs.by ?? "") === this.account)?.attrs.id;
    // The archive is read up to a message only when everything before it is safe, too.
    this.#safe = Promise.all([this.#safe, storing]).then(() => {
      if (given !== undefined) this.#catchUp?.reached(given);
    });
    this.#safe.catch(() => {});
    void storing.catch(() => {}).finally(() => this.#storing.delete(storing));
  }

  /** What a server without an archive, or one that does not answer, cannot give must not keep the bot away. */
  async #readArchive(): Promise<void> {
    await this.#catchUp?.read(this.archive, (message) => this.#fromArchive(message)).catch(() => {});
  }

  async #fromArchive(message: Element): Promise<void> {
    const { from = "", type } = message.attrs;
    if (bareOf(from) === this.account || type === "groupchat") return;
    const storing = this.#events.message(message, true);
    this.#keep(storing, message);
    await storing;
  }

  /**
   * Reads the archive before the bot is there and anything new comes in, so that the order is kept; and once more, for
   * what came in the moment between. Until that was read, what comes in by itself waits. The first time, the server gives
   * by itself what it has kept, which some do only before they are asked for the archive.
   */
  async #comeIn(): Promise<void> {
    const remembers = await this.#catchUp?.remembers();
    if (remembers) {
      await this.#readArchive();
      this.#behind ??= [];
    }
    await this.#client.send(xml("presence"));
    // Servers pass on contact requests only to programs that have asked for the contacts.
    this.hint(xml("iq", { type: "get", id: "contacts" }, xml("query", { xmlns: NS.roster })));
    this.#readings += 1;
    const reading = this.#readings;
    const read = this.#readArchive().then(() => reading === this.#readings && this.#takeBehind());
    // The first time the bot is in only when it is kept from where the archive is new.
    if (remembers === false) await read;
    this.muc.enterAll();
  }

  #takeBehind(): void {
    const behind = this.#behind ?? [];
    this.#behind = null;
    for (const stanza of behind) this.#keep(this.#events.message(stanza, false), stanza);
  }

  /** After an interruption, tries a few times to resume the stream. The server has kept the messages in between. */
  async #resume(): Promise<void> {
    if (this.#closed.signal.aborted || !this.#started || this.#isReplaced) return;
    const reason = this.#reason;
    // A server that lets the account in and throws it out at once is asked less and less often.
    if (this.#cutAt === null && this.#clock.now() - this.#upSince >= PROVEN_MS) this.#attempts = 0;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#attempts, LAST_WAIT_MS);
    this.#attempts += 1;
    this.#cutAt ??= this.#clock.now();
    const late = this.#clock.now() - this.#cutAt > RESUME_WITHIN_MS;
    if (late || (reason !== null && reason.kind !== "offline")) {
      this.#events.lost(this.#failure());
      return;
    }
    this.#events.degraded(reason?.message ?? "The connection was cut.");
    await pause(this.#clock, wait * (0.75 + this.#clock.random() / 2), this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    this.#reason = null;
    // A failed attempt is followed by a `disconnect` event, which starts the next one.
    await this.#client.reconnect.reconnect().catch(() => {});
  }

  #recovered(): void {
    this.#upSince = this.#clock.now();
    this.#cutAt = null;
    this.#reason = null;
    this.#events.degraded(null);
  }

  /**
   * Whether the server takes stanzas: it has let the account in. The library would write them to the socket before that
   * as well, and the server would end the stream.
   */
  get #isOpen(): boolean {
    return this.#client.status === "online";
  }

  get #domain(): string {
    return jid(this.#settings.jid).domain;
  }

  #failure(): ChannelFailure {
    return this.#reason ?? new ChannelFailure("offline", "The connection was lost.");
  }
}
