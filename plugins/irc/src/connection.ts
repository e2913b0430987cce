import type { Socket } from "node:net";
import { type ChannelClock, ChannelFailure, failureOf, within } from "@patchbay/plugin-sdk/channel";
import { Client, type IrcLine, type MessageEvent } from "irc-framework";
import { clientOptions } from "./client-options.ts";
import { OwnNick } from "./own-nick.ts";
import { OwnRooms } from "./own-rooms.ts";
import type { IrcChannel } from "./settings.ts";
import { SignIn } from "./sign-in.ts";
import { Speech } from "./speech.ts";
import { type Heard, readMessage } from "./who/inbound.ts";
import type { LastNicks } from "./who/last-nicks.ts";
import { People } from "./who/people.ts";
import { tellPeople } from "./who/presence.ts";
import { WhoisDesk } from "./who/whois.ts";
import { AboutServer, type Identity } from "./wire/about-server.ts";
import { refuseOthers } from "./wire/certificate.ts";
import { endIn, noSasl, refusalOf, saslFailure } from "./wire/failures.ts";
import { FloodControl } from "./wire/flood.ts";
import { paceOf } from "./wire/pace.ts";
import { RoundTrips } from "./wire/round-trips.ts";

/** Milliseconds that the server may take to close the connection after QUIT. */
const GOODBYE_MS = 1_000;

export interface ConnectionEvents {
  message(heard: Heard): void;
  lost(failure: ChannelFailure): void;
  trouble(sentence: string | null): void;
  left(conversation: string): void;
  back(conversation: string): void;
}

/** What is kept from one connection to the next. */
export interface Memory {
  lastNicks: LastNicks;
  /** How many times slower lines go out, because the server complained. */
  slower: number;
}

/** One connection to one server, from its first byte to its last. It never reconnects: the toolkit makes a new one. */
export class IrcConnection {
  readonly #settings: IrcChannel;
  readonly #clock: ChannelClock;
  readonly #events: ConnectionEvents;
  readonly #memory: Memory;
  readonly #client = new Client();
  readonly #about = new AboutServer(this.#client);
  readonly #closed = new AbortController();
  readonly #opened = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #flood: FloodControl;
  readonly #trips: RoundTrips;
  readonly #speech: Speech;
  readonly #rooms: OwnRooms;
  readonly #nick: OwnNick;
  readonly #people: People;
  readonly #whois: WhoisDesk;
  readonly #signIn: SignIn;
  #registered = false;
  #roomTrouble: string | null = null;
  /** The most telling reason so far why the connection ended. */
  #reason: ChannelFailure | null = null;

  constructor(settings: IrcChannel, clock: ChannelClock, memory: Memory, events: ConnectionEvents) {
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    this.#memory = memory;
    this.#flood = new FloodControl(clock, paceOf(settings, "", memory.slower));
    // The promise may be rejected before anybody awaits it; without a handler that would be reported.
    this.#opened.promise.catch(() => {});
    const write = (...words: string[]) => {
      if (!this.#closed.signal.aborted) this.#write(...words);
    };
    const isMe = (name: string) => this.#about.isMe(name);
    const fold = (name: string) => this.#about.fold(name);
    this.#trips = new RoundTrips(clock, (...words) => this.#write(...words));
    this.#speech = new Speech({
      flood: this.#flood,
      trips: this.#trips,
      fold,
      write: (...words) => this.#write(...words),
      closed: this.#closed.signal,
    });
    this.#rooms = new OwnRooms({
      channels: settings.channels,
      clock,
      isMe,
      write,
      trouble: (sentence) => {
        this.#roomTrouble = sentence;
        this.#tell();
      },
    });
    this.#nick = new OwnNick({
      nick: settings.nick,
      about: this.#about,
      clock,
      isRegistered: () => this.#registered,
      write,
    });
    const counted = (...words: string[]) => {
      this.#flood.spend();
      write(...words);
    };
    this.#whois = new WhoisDesk(clock, fold, counted);
    this.#people = new People({
      clock,
      fold,
      lookUp: (nick) => this.#whois.ask(nick),
      caughtUp: () => this.#speech.caughtUp(),
      mostWatched: () => this.#about.mostWatched,
      watch: (nick, on) => counted("MONITOR", on ? "+" : "-", nick),
      left: (conversation) => events.left(conversation),
      back: (conversation) => events.back(conversation),
      lastNicks: memory.lastNicks,
    });
    this.#signIn = new SignIn({
      settings,
      clock,
      fold,
      myNick: () => this.identity.nick,
      write,
      changed: () => this.#tell(),
      signedIn: () => this.#rooms.mayWork(),
      lost: (failure) => this.#end(failure),
    });
  }

  get people(): People {
    return this.#people;
  }

  get identity(): Identity {
    return this.#about.identity;
  }

  get account(): string {
    return `${this.identity.nick} on ${this.#about.network ?? this.#settings.server}`;
  }

  /**
   * Resolves when the server has registered the nick and, where there is an account, signed it in.
   *
   * @throws ChannelFailure `credentials`, `fatal` or `offline`
   */
  async open(signal: AbortSignal): Promise<void> {
    this.#listen();
    const onAbort = () => void this.close();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#client.connect(clientOptions(this.#settings));
      await this.#opened.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    this.#markAsBot();
    this.#signIn.begin();
    this.#rooms.joinAll();
  }

  say(target: () => Promise<string>, text: string): Promise<void> {
    return this.#speech.say(target, text);
  }

  /** Resolves when the server has answered a PING: it has then handled everything that was sent before. */
  roundTrip(): Promise<void> {
    return this.#trips.alone();
  }

  /** Says goodbye and waits shortly for the server to hang up. */
  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#rooms.stop();
    this.#signIn.stop();
    this.#nick.stop();
    this.#endQuestions();
    this.#opened.reject(this.#failure());
    if (this.#registered) this.#client.quit("Goodbye");
    else this.#client.connection.end();
    const late = () => new ChannelFailure("offline", "The server did not hang up.");
    await within(this.#clock, GOODBYE_MS, this.#gone.promise, late).catch(() => {});
    this.#client.removeAllListeners();
    this.#client.connection.removeAllListeners();
    this.#client.connection.transport?.disposeSocket();
    this.#client.connection.clearTimers();
    this.#gone.resolve();
  }

  #listen(): void {
    const client = this.#client;
    client.on("raw socket connected", (socket: Socket) => {
      // A message and the PING that confirms it are two small packets; with TCP's default the second would wait for the
      // first to be acknowledged.
      socket.setNoDelay(true);
      const { fingerprint } = this.#settings;
      if (fingerprint !== "") refuseOthers(socket, fingerprint, (failure) => this.#end(failure));
    });
    client.on("registered", () => this.#onRegistered());
    client.on("privmsg", (event) => this.#onMessage(event, false));
    client.on("action", (event) => this.#onMessage(event, true));
    client.on("ctcp request", ({ nick, type, message }) => {
      if (type === "PING") this.#write("NOTICE", nick, `\u0001${message.slice(0, 100)}\u0001`);
    });
    client.on("sasl failed", ({ reason, message }) => this.#end(saslFailure(reason, message)));
    client.on("ping timeout", () => {
      this.#reason ??= new ChannelFailure("offline", "The server stopped answering.");
    });
    client.on("socket close", (error) => {
      if (error) this.#reason ??= failureOf(error);
      this.#gone.resolve();
      this.#endQuestions();
      this.#opened.reject(this.#failure());
      if (!this.#closed.signal.aborted) this.#events.lost(this.#failure());
    });
    client.connection.on("message", (line) => this.#onLine(line));
  }

  #onMessage(event: MessageEvent, action: boolean): void {
    const heard = readMessage(event, action, this.identity);
    if (heard) this.#events.message(heard);
  }

  #onRegistered(): void {
    const { account, signIn } = this.#settings;
    if (account !== "" && signIn === "sasl" && !this.#about.can("sasl")) {
      this.#end(noSasl());
      return;
    }
    this.#registered = true;
  }

  #onLine(line: IrcLine): void {
    const { command, params } = line;
    const last = params.at(-1) ?? "";
    this.#about.line(line);
    this.#signIn.line(line);
    tellPeople(this.#people, line, this.#about);
    this.#whois.line(line);
    this.#rooms.line(line);
    this.#nick.line(line);
    const end = endIn(line, this.#settings.nick);
    if (end) this.#end(end);
    switch (command) {
      case "376":
      case "422":
        // The welcome has ended, so the server has said by now how it compares names.
        this.#flood.pace = paceOf(this.#settings, this.#about.software, this.#memory.slower);
        this.#opened.resolve();
        return;
      case "PONG":
        this.#trips.pong(last);
        return;
      case "ERROR":
        if (/flood|sendq|recvq/i.test(last)) this.#memory.slower = Math.min(this.#memory.slower * 2, 8);
        this.#reason = refusalOf(last) ?? this.#reason ?? new ChannelFailure("offline", last);
        return;
      case "433":
      case "437":
        if (!this.#registered) this.#nick.taken();
        return;
      case "401":
      case "404":
        this.#speech.refused(params[1] ?? "", last);
        return;
    }
  }

  /** Marks the bot as a bot, where the server has a mark for that. */
  #markAsBot(): void {
    const { botMode, identity } = this.#about;
    if (botMode !== null) this.#write("MODE", identity.nick, `+${botMode}`);
  }

  #tell(): void {
    this.#events.trouble(this.#signIn.sentence ?? this.#roomTrouble);
  }

  #write(...words: string[]): void {
    if (this.#closed.signal.aborted) throw this.#failure();
    this.#client.raw(...words.map((word) => word.replace(/[\r\n\0]/g, " ")));
  }

  #end(reason: ChannelFailure): void {
    this.#reason = reason;
    this.#opened.reject(reason);
    if (!this.#closed.signal.aborted) this.#events.lost(reason);
  }

  /** Nobody answers any more what the server was asked. */
  #endQuestions(): void {
    this.#whois.end(this.#failure());
    this.#trips.end(this.#failure());
  }

  #failure(): ChannelFailure {
    return this.#reason ?? new ChannelFailure("offline", "The server closed the connection.");
  }
}
