import { type ChannelClock, ChannelFailure, pause, within } from "@patchbay/plugin-sdk/channel";
import { type Client, client, type Element, jid, xml } from "@xmpp/client";
import { failureFrom } from "../failures.ts";
import { Bots, selfPortrait } from "../messages/bots.ts";
import type { Surroundings } from "../messages/inbound.ts";
import { bareOf, NS } from "../namespaces.ts";
import { RoomIds } from "../rooms/ids.ts";
import { Muc } from "../rooms/muc.ts";
import type { XmppChannel } from "../settings.ts";
import { Archive } from "./archive.ts";
import type { CatchUp } from "./catch-up.ts";
import { Confirmations } from "./confirmations.ts";
import { countWhatIsSafe } from "./counting.ts";
import { Incoming } from "./incoming.ts";
import { Looks } from "./looks.ts";
import { readWhole } from "./reading.ts";
import { Resuming } from "./resuming.ts";
import { signInQuickly } from "./signing-in.ts";

/** How long the server may take for one step of connecting, in milliseconds. */
const STEP_MS = 10_000;
/** How long a server may take to confirm a message. */
const CONFIRM_MS = 60_000;
const GOODBYE_MS = 1_000;

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
  readonly looks: Looks;
  readonly bots: Bots;
  readonly #settings: XmppChannel;
  readonly #clock: ChannelClock;
  readonly #events: SessionEvents;
  readonly #client: Client;
  readonly #closed = new AbortController();
  readonly #confirmations: Confirmations;
  readonly #incoming: Incoming;
  readonly #resuming: Resuming;
  readonly #dropped = Promise.withResolvers<never>();
  #started = false;
  #isReplaced = false;
  #reason: ChannelFailure | null = null;

  /** @param catchUp null: nothing is read from the archive */
  constructor(
    settings: XmppChannel,
    resource: string,
    clock: ChannelClock,
    catchUp: CatchUp | null,
    events: SessionEvents,
  ) {
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
    const request = (stanza: Element, ms?: number) => this.request(stanza, ms);
    this.muc = new Muc({
      settings,
      clock,
      request,
      hint: (stanza) => this.hint(stanza),
      trouble: (sentence) => events.trouble(sentence),
    });
    const self = bareOf(settings.jid);
    const take = (stanza: Element, old: boolean) => events.message(stanza, old);
    this.archive = new Archive({ self, request });
    const stopped = this.#closed.signal;
    this.looks = new Looks({
      archive: this.archive,
      self,
      domain: this.#domain,
      request,
      now: () => Date.now(),
      clock,
      stopped,
    });
    this.bots = new Bots((stanza) => this.hint(stanza), clock);
    this.#confirmations = new Confirmations(this.#client, () => this.#failure());
    this.#incoming = new Incoming({ account: self, archive: this.archive, catchUp, clock, stopped, take });
    this.#resuming = new Resuming(clock);
    this.surroundings = { self, rooms: this.muc, ids: new RoomIds() };
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
    this.#resuming.up();
    if (announce) await this.#comeIn();
  }

  /** Resolves when the server has taken the stanza. @throws ChannelFailure `offline` when that cannot be known */
  async send(stanza: Element): Promise<void> {
    if (this.#closed.signal.aborted) throw this.#failure();
    const confirmed = this.#client.streamManagement.enabled
      ? this.#confirmations.of(stanza, () => this.#write(stanza))
      : this.#write(stanza).then(() => this.roundTrip());
    const late = () => new ChannelFailure("offline", "The server does not confirm messages any more.");
    await within(this.#clock, CONFIRM_MS, confirmed, late);
  }

  /** @param ms how long the answer may take, milliseconds */
  async request(stanza: Element, ms = STEP_MS): Promise<Element> {
    if (!this.#isOpen) throw this.#failure();
    return this.#client.iqCaller.request(stanza, ms);
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
    this.archive.cut(this.#failure());
    this.muc.stop();
    this.bots.stop();
    const late = () => new ChannelFailure("offline", "The server did not hang up.");
    const socket = this.#client.socket;
    await within(this.#clock, GOODBYE_MS, this.#client.stop(), late).catch(() => socket?.destroy?.());
    this.#confirmations.failAll();
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

  #listen(): void {
    const xmpp = this.#client;
    xmpp.on("error", (error) => this.#failed(error));
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
      this.archive.cut(this.#failure());
      this.#confirmations.cut();
      void this.#resume();
    });
    xmpp.on("stanza", (stanza) => this.#onStanza(stanza));
    xmpp.streamManagement.on("resumed", () => this.#recovered());
    xmpp.iqCallee.get(NS.discoInfo, "query", ({ element }) => selfPortrait(element));
    readWhole(xmpp);
    signInQuickly();
    countWhatIsSafe(xmpp, this.#incoming.storing, (element) => this.bots.seen(element));
  }

  #failed(error: Error & { condition?: string }): void {
    const failure = failureFrom(error);
    const isConflict = error.condition === "conflict";
    if (failure.kind !== "offline" || this.#reason === null) this.#reason = failure;
    if (isConflict) this.#isReplaced = true;
    if ((failure.kind !== "offline" || isConflict) && this.#started) this.#events.lost(failure);
  }

  #onStanza(stanza: Element): void {
    switch (stanza.name) {
      case "presence":
        this.muc.presence(stanza);
        this.#events.presence(stanza);
        return;
      case "iq":
        this.muc.information(stanza);
        return;
      case "message":
        if (!this.archive.take(stanza) && !this.muc.message(stanza)) this.#incoming.live(stanza);
    }
  }

  async #comeIn(): Promise<void> {
    this.looks.cameIn();
    await this.#incoming.begin(async () => {
      await this.#client.send(xml("presence"));
      // Servers pass on contact requests only to programs that have asked for the contacts.
      this.hint(xml("iq", { type: "get", id: "contacts" }, xml("query", { xmlns: NS.roster })));
    });
    this.muc.enterAll();
  }

  /** After an interruption, tries a few times to resume the stream. The server has kept the messages in between. */
  async #resume(): Promise<void> {
    if (this.#closed.signal.aborted || !this.#started || this.#isReplaced) return;
    const reason = this.#reason;
    const wait = this.#resuming.cut();
    if (wait === null || (reason !== null && reason.kind !== "offline")) {
      this.#events.lost(this.#failure());
      return;
    }
    this.#events.degraded(reason?.message ?? "The connection was cut.");
    await pause(this.#clock, wait, this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    this.#reason = null;
    // A failed attempt is followed by a `disconnect` event, which starts the next one.
    await this.#client.reconnect.reconnect().catch(() => {});
  }

  #recovered(): void {
    this.#resuming.up();
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
