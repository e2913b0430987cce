import type { Socket } from "node:net";
import { type ChannelClock, ChannelFailure, failureOf, within } from "@patchbay/plugin-sdk/channel";
import { Client, type ClientOptions, type IrcLine, type MessageEvent } from "irc-framework";
import { OwnNick } from "./own-nick.ts";
import { OwnRooms } from "./own-rooms.ts";
import type { IrcChannel } from "./settings.ts";
import { SignIn } from "./sign-in.ts";
import { LINE_BYTES, toLines } from "./text/formatting.ts";
import { type Heard, type Identity, readMessage } from "./who/inbound.ts";
import { foldName } from "./who/names.ts";
import { People } from "./who/people.ts";
import { tellPeople } from "./who/presence.ts";
import { WhoisDesk } from "./who/whois.ts";
import { refuseOthers } from "./wire/certificate.ts";
import { noSasl, refusalOf, saslFailure } from "./wire/failures.ts";
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
  /** By account: the nick that was last used with it. */
  lastNicks: Map<string, string>;
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
  readonly #closed = new AbortController();
  readonly #opened = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #flood: FloodControl;
  readonly #trips: RoundTrips;
  readonly #rooms: OwnRooms;
  readonly #nick: OwnNick;
  readonly #people: People;
  readonly #whois: WhoisDesk;
  readonly #signIn: SignIn;
  /** The server's last refusal for each target; the names are folded as the server compares them. */
  readonly #refusals = new Map<string, string>();
  #registered = false;
  /** What the server calls its software. */
  #software = "";
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
    const isMe = (name: string) => this.#isMe(name);
    this.#trips = new RoundTrips(clock, (...words) => this.#write(...words));
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
      clock,
      hasIt: () => isMe(settings.nick),
      isRegistered: () => this.#registered,
      write,
    });
    const fold = (name: string) => this.#fold(name);
    const counted = (...words: string[]) => {
      this.#flood.spend();
      write(...words);
    };
    this.#whois = new WhoisDesk(clock, fold, counted);
    this.#people = new People({
      clock,
      fold,
      lookUp: (nick) => this.#whois.ask(nick),
      mostWatched: () => Number(this.#option("MONITOR")) || 0,
      watch: (nick, on) => counted("MONITOR", on ? "+" : "-", nick),
      left: (conversation) => events.left(conversation),
      back: (conversation) => events.back(conversation),
      lastNicks: memory.lastNicks,
    });
    this.#signIn = new SignIn({
      settings,
      clock,
      fold,
      myNick: () => this.#client.user.nick,
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
    const types = this.#option("CHANTYPES");
    return {
      nick: this.#client.user.nick,
      casemapping: this.#option("CASEMAPPING") ?? "rfc1459",
      channelTypes: Array.isArray(types) ? types.map(String) : ["#", "&"],
      accountTags: this.#client.network.cap.isEnabled("account-tag"),
    };
  }

  get account(): string {
    const name = this.#option("NETWORK") ? this.#client.network.name : this.#settings.server;
    return `${this.#client.user.nick} on ${name}`;
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
      this.#client.connect(this.#options());
      await this.#opened.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    this.#markAsBot();
    this.#signIn.begin();
    this.#rooms.joinAll();
  }

  /**
   * Resolves when the server has taken all lines.
   *
   * @param target whom the next line is for; throws when they are gone
   * @throws ChannelFailure `refused` when it does not let them through, or what `target` throws
   */
  async say(target: () => string, text: string): Promise<void> {
    const names = new Set<string>();
    for (const line of toLines(text, LINE_BYTES)) {
      await this.#flood.next(this.#closed.signal);
      let name: string;
      try {
        name = target();
      } catch (error) {
        this.#flood.giveBack();
        throw error;
      }
      if (!/^[^\s,:\0][^\s,\0]*$/.test(name)) {
        throw new ChannelFailure("refused", `${name} is no name of a person or channel.`);
      }
      if (!names.has(name)) this.#refusals.delete(this.#fold(name));
      names.add(name);
      this.#write("PRIVMSG", name, line);
    }
    this.#flood.spend();
    await this.#trips.shared();
    for (const name of names) {
      const refusal = this.#refusals.get(this.#fold(name));
      if (refusal === undefined) continue;
      // Who is gone is no problem of the channel: then this says whether they may come back.
      target();
      throw new ChannelFailure("refused", refusal);
    }
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

  #options(): ClientOptions {
    const { server, port, encrypted, nick, account, password, serverPassword, signIn, fingerprint } =
      this.#settings;
    const sasl = signIn === "sasl" && account !== "";
    return {
      host: server,
      port,
      tls: encrypted,
      // With a fingerprint, the certificate is compared with that, before anything is said.
      rejectUnauthorized: fingerprint === "",
      nick,
      username: nick.replace(/[^A-Za-z0-9]/g, "").slice(0, 9) || "agent",
      gecos: "Patchbay agent",
      ...(serverPassword !== "" && { password: serverPassword }),
      account: sasl ? { account, password } : {},
      sasl_disconnect_on_fail: true,
      auto_reconnect: false,
      ping_interval: 30,
      ping_timeout: 120,
      version: "Patchbay",
    };
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
    if (account !== "" && signIn === "sasl" && !this.#client.network.cap.isEnabled("sasl")) {
      this.#end(noSasl());
      return;
    }
    this.#registered = true;
  }

  #onLine(line: IrcLine): void {
    const { command, params } = line;
    const last = params.at(-1) ?? "";
    const named = params[1] === undefined ? "" : this.#fold(params[1]);
    this.#signIn.line(line);
    tellPeople(this.#people, line, {
      isMe: (name) => this.#isMe(name),
      fold: (name) => this.#fold(name),
      prefixes: this.#prefixes,
      extendedJoin: this.#client.network.cap.isEnabled("extended-join"),
    });
    this.#whois.line(line);
    this.#rooms.line(line);
    switch (command) {
      case "004":
        this.#software = params[2] ?? "";
        return;
      case "376":
      case "422":
        // The welcome has ended, so the server has said by now how it compares names.
        this.#flood.pace = paceOf(this.#settings, this.#software, this.#memory.slower);
        this.#opened.resolve();
        return;
      case "PONG":
        this.#trips.pong(last);
        return;
      case "ERROR":
        if (/flood|sendq|recvq/i.test(last)) this.#memory.slower = Math.min(this.#memory.slower * 2, 8);
        this.#reason = refusalOf(last) ?? this.#reason ?? new ChannelFailure("offline", last);
        return;
      case "464":
        this.#end(new ChannelFailure("credentials", "The server password was not accepted."));
        return;
      case "465":
        this.#end(new ChannelFailure("fatal", `The server has banned this connection: ${last}`));
        return;
      case "432":
        this.#end(new ChannelFailure("fatal", `The server does not allow the nick ${this.#settings.nick}.`));
        return;
      case "433":
      case "437":
        if (!this.#registered) this.#nick.taken();
        return;
      case "401":
      case "404":
        this.#refusals.set(named, last);
        return;
    }
  }

  /** Marks the bot as a bot, where the server has a mark for that. */
  #markAsBot(): void {
    const mode = this.#option("BOT");
    if (typeof mode === "string" && /^\w$/.test(mode))
      this.#write("MODE", this.#client.user.nick, `+${mode}`);
    else if (/^ngircd/i.test(this.#software)) this.#write("MODE", this.#client.user.nick, "+B");
  }

  #option(name: string): unknown {
    return this.#client.network.options[name];
  }

  get #prefixes(): string {
    const list = this.#option("PREFIX");
    return Array.isArray(list) ? list.map((one: { symbol?: unknown }) => String(one.symbol)).join("") : "@+";
  }

  #fold(name: string): string {
    return foldName(name, this.identity.casemapping);
  }

  #isMe(name: string): boolean {
    return this.#fold(name) === this.#fold(this.#client.user.nick);
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
