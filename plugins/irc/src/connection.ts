import { type ChannelClock, ChannelFailure, failureOf, Rooms, within } from "@patchbay/plugin-sdk/channel";
import { Client, type ClientOptions, type IrcLine, type MessageEvent } from "irc-framework";
import { joinRefusals, refusalOf } from "./failures.ts";
import { FloodControl } from "./flood.ts";
import { LINE_BYTES, toLines } from "./formatting.ts";
import type { Identity } from "./inbound.ts";
import { foldName } from "./names.ts";
import type { IrcChannel } from "./settings.ts";

/** How long a server may take to answer a PING that follows messages, in milliseconds. */
const CONFIRM_MS = 30_000;
/** Milliseconds between two attempts to get back a nick that somebody else had. */
const RECLAIM_MS = 60_000;
/** Milliseconds that the server may take to close the connection after QUIT. */
const GOODBYE_MS = 1_000;

export interface ConnectionEvents {
  message(event: MessageEvent, action: boolean): void;
  lost(failure: ChannelFailure): void;
  trouble(sentence: string | null): void;
}

/** One connection to one server, from its first byte to its last. It never reconnects: the toolkit makes a new one. */
export class IrcConnection {
  readonly #settings: IrcChannel;
  readonly #clock: ChannelClock;
  readonly #events: ConnectionEvents;
  readonly #client = new Client();
  readonly #closed = new AbortController();
  readonly #opened = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #flood: FloodControl;
  readonly #rooms: Rooms;
  /** The channels of the settings, by their names in lower case. */
  readonly #keys: ReadonlyMap<string, { name: string; key: string | undefined }>;
  readonly #pongs = new Map<string, () => void>();
  /** The server's last refusal for each target; the names are folded as the server compares them. */
  readonly #refusals = new Map<string, string>();
  #tokens = 0;
  #registered = false;
  /** The most telling reason so far why the connection ended. */
  #reason: ChannelFailure | null = null;
  #stopReclaiming = () => {};

  constructor(settings: IrcChannel, clock: ChannelClock, events: ConnectionEvents) {
    this.#settings = settings;
    this.#clock = clock;
    this.#events = events;
    this.#flood = new FloodControl(clock);
    // The promise may be rejected before anybody awaits it; without a handler that would be reported.
    this.#opened.promise.catch(() => {});
    // Until the server has said how it compares names, only ASCII letters are folded, which every server does.
    this.#keys = new Map(
      settings.channels.map((channel) => {
        const [name = "", key] = channel.split(/\s+/);
        return [foldName(name, "ascii"), { name, key }];
      }),
    );
    this.#rooms = new Rooms({
      rooms: [...this.#keys.keys()],
      clock,
      join: (room) => {
        const { name = room, key } = this.#keys.get(room) ?? {};
        this.#client.raw("JOIN", name, ...(key === undefined ? [] : [key]));
      },
      trouble: (sentence) => events.trouble(sentence),
    });
  }

  get identity(): Identity {
    const { options } = this.#client.network;
    const types = options.CHANTYPES;
    return {
      nick: this.#client.user.nick,
      casemapping: options.CASEMAPPING ?? "rfc1459",
      channelTypes: Array.isArray(types) ? types.map(String) : ["#", "&"],
    };
  }

  get account(): string {
    const { options, name } = this.#client.network;
    return `${this.#client.user.nick} on ${options.NETWORK ? name : this.#settings.server}`;
  }

  fold(name: string): string {
    return foldName(name, this.identity.casemapping);
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
    this.#signInWithNickServ();
    this.#rooms.joinAll();
  }

  /** Resolves when the server has taken all lines. @throws ChannelFailure `refused` when it does not let them through */
  async say(target: string, text: string): Promise<void> {
    if (!/^[^\s,:\0][^\s,\0]*$/.test(target)) {
      throw new ChannelFailure("refused", `${target} is no name of a person or channel.`);
    }
    this.#refusals.delete(target);
    for (const line of toLines(text, LINE_BYTES)) {
      await this.#flood.next(this.#closed.signal);
      this.#write("PRIVMSG", target, line);
    }
    await this.roundTrip();
    const refusal = this.#refusals.get(target);
    if (refusal !== undefined) throw new ChannelFailure("refused", refusal);
  }

  /** Resolves when the server has answered a PING: it has then handled everything that was sent before. */
  async roundTrip(): Promise<void> {
    this.#tokens += 1;
    const token = `patchbay-${this.#tokens}`;
    const answered = new Promise<void>((resolve, reject) => {
      this.#pongs.set(token, resolve);
      void this.#gone.promise.then(() => reject(this.#failure()));
    });
    this.#write("PING", token);
    const late = () => new ChannelFailure("offline", "The server stopped answering.");
    try {
      await within(this.#clock, CONFIRM_MS, answered, late);
    } finally {
      this.#pongs.delete(token);
    }
  }

  /** Says goodbye and waits shortly for the server to hang up. */
  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#rooms.stop();
    this.#stopReclaiming();
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
    const { server, port, encrypted, nick, account, password, serverPassword, signIn } = this.#settings;
    const sasl = signIn === "sasl" && account !== "";
    return {
      host: server,
      port,
      tls: encrypted,
      rejectUnauthorized: true,
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
    // A message and the PING that confirms it are two small packets; with TCP's default the second would wait for the
    // first to be acknowledged.
    client.on("raw socket connected", (socket) => socket.setNoDelay(true));
    client.on("registered", () => this.#onRegistered());
    client.on("privmsg", (event) => this.#events.message(event, false));
    client.on("action", (event) => this.#events.message(event, true));
    client.on("ctcp request", ({ nick, type, message }) => {
      if (type === "PING") this.#write("NOTICE", nick, `\u0001${message.slice(0, 100)}\u0001`);
    });
    client.on("sasl failed", ({ reason, message }) => {
      const why = message ?? reason.replaceAll("_", " ");
      this.#end(new ChannelFailure("credentials", `The account was not accepted: ${why}`));
    });
    client.on("ping timeout", () => {
      this.#reason ??= new ChannelFailure("offline", "The server stopped answering.");
    });
    client.on("socket close", (error) => {
      if (error) this.#reason ??= failureOf(error);
      this.#gone.resolve();
      this.#opened.reject(this.#failure());
      if (!this.#closed.signal.aborted) this.#events.lost(this.#failure());
    });
    client.connection.on("message", (line) => this.#onLine(line));
  }

  #onRegistered(): void {
    const { account, signIn } = this.#settings;
    if (account !== "" && signIn === "sasl" && !this.#client.network.cap.isEnabled("sasl")) {
      this.#end(
        new ChannelFailure(
          "fatal",
          "This server offers no sign-in with SASL. Choose NickServ in the settings, or leave the account empty.",
        ),
      );
      return;
    }
    this.#registered = true;
  }

  #onLine({ command, params, nick }: IrcLine): void {
    const last = params.at(-1) ?? "";
    const named = params[1] === undefined ? "" : this.fold(params[1]);
    switch (command) {
      case "376":
      case "422":
        // The welcome has ended, so the server has said by now how it compares names.
        this.#opened.resolve();
        return;
      case "PONG":
        this.#pongs.get(last)?.();
        return;
      case "ERROR":
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
        if (!this.#registered) this.#takeAnotherNick();
        return;
      case "401":
      case "404":
        this.#refusals.set(named, last);
        return;
      case "KICK":
        if (named === this.fold(this.#client.user.nick)) {
          this.#rooms.removed(roomOf(params[0]), `${nick} threw the bot out of ${params[0]}: ${last}.`);
        }
        return;
      case "JOIN":
        if (this.fold(nick) === this.fold(this.#client.user.nick)) this.#rooms.joined(roomOf(params[0]));
        return;
      default: {
        const why = joinRefusals[command];
        if (why) this.#rooms.refused(roomOf(params[1]), `${params[1]} cannot be entered: ${why} (${last}).`);
      }
    }
  }

  /** Another client has the nick: takes a similar one, and the right one as soon as it is free. */
  #takeAnotherNick(): void {
    const suffix = "_".repeat(1 + (this.#tokens % 4));
    this.#tokens += 1;
    this.#client.raw("NICK", `${this.#settings.nick.slice(0, 30 - suffix.length)}${suffix}`);
    const again = () => {
      this.#stopReclaiming = this.#clock.after(RECLAIM_MS, () => {
        if (this.fold(this.#client.user.nick) === this.fold(this.#settings.nick)) return;
        if (this.#registered) this.#write("NICK", this.#settings.nick);
        again();
      });
    };
    this.#stopReclaiming();
    again();
  }

  #signInWithNickServ(): void {
    const { account, password, signIn } = this.#settings;
    if (signIn !== "nickserv" || password === "") return;
    this.#write("PRIVMSG", "NickServ", `IDENTIFY ${account === "" ? "" : `${account} `}${password}`);
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

  #failure(): ChannelFailure {
    return this.#reason ?? new ChannelFailure("offline", "The server closed the connection.");
  }
}

const roomOf = (name: string | undefined) => foldName(name ?? "", "ascii");
