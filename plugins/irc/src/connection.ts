import type { ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { IrcLine, MessageEvent } from "irc-framework";
import type { AccountDoubt } from "./account-doubt.ts";
import { Link } from "./link.ts";
import { OwnNick } from "./own-nick.ts";
import { OwnRooms } from "./own-rooms.ts";
import { Registration } from "./registration.ts";
import type { IrcChannel } from "./settings.ts";
import { SignIn } from "./sign-in.ts";
import { type Slowness, Speech } from "./speech.ts";
import { type Heard, readMessage } from "./who/inbound.ts";
import type { LastNicks } from "./who/last-nicks.ts";
import { Nicks } from "./who/nicks.ts";
import { People } from "./who/people.ts";
import { tellNicks } from "./who/presence.ts";
import { WhoisDesk } from "./who/whois.ts";
import { AboutServer, type Identity } from "./wire/about-server.ts";

export interface ConnectionEvents {
  message(heard: Heard): void;
  lost(failure: ChannelFailure): void;
  trouble(sentence: string | null): void;
  left(conversation: string): void;
  back(conversation: string): void;
}

/** What is kept from one connection to the next. */
export interface Memory extends Slowness {
  lastNicks: LastNicks;
  doubt: AccountDoubt;
}

/**
 * One connection to one server, from its first byte to its last: gives each line of the server to everybody whom it may
 * concern. It never reconnects: the toolkit makes a new one.
 */
export class IrcConnection {
  readonly #settings: IrcChannel;
  readonly #events: ConnectionEvents;
  readonly #link: Link;
  readonly #about: AboutServer;
  readonly #registration: Registration;
  readonly #speech: Speech;
  readonly #ownRooms: OwnRooms;
  readonly #ownNick: OwnNick;
  readonly #nicks: Nicks;
  readonly #people: People;
  readonly #whois: WhoisDesk;
  readonly #signIn: SignIn;
  #roomTrouble: string | null = null;

  constructor(settings: IrcChannel, clock: ChannelClock, memory: Memory, events: ConnectionEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#link = new Link({
      settings,
      clock,
      line: (line) => this.#onLine(line),
      gone: () => this.#endQuestions(),
      ended: (failure) => {
        this.#registration.fail(failure);
        if (!this.#link.closed.aborted) events.lost(failure);
      },
    });
    this.#about = new AboutServer(this.#link.client);
    const write = (...words: string[]) => {
      if (!this.#link.closed.aborted) this.#link.write(...words);
    };
    const isMe = (name: string) => this.#about.isMe(name);
    const fold = (name: string) => this.#about.fold(name);
    this.#registration = new Registration({
      settings,
      about: this.#about,
      doubt: memory.doubt,
      nickTaken: () => this.#ownNick.taken(),
      welcomed: () => this.#speech.suit(this.#about.software),
      refused: (failure) => this.#link.end(failure),
    });
    this.#speech = new Speech({
      settings,
      clock,
      slowness: memory,
      fold,
      isChannel: (name) => this.#about.isChannel(name),
      write: (...words) => this.#link.write(...words),
      closed: this.#link.closed,
    });
    this.#ownRooms = new OwnRooms({
      channels: settings.channels,
      clock,
      isMe,
      write,
      trouble: (sentence) => {
        this.#roomTrouble = sentence;
        this.#tell();
      },
    });
    this.#ownNick = new OwnNick({
      nick: settings.nick,
      about: this.#about,
      clock,
      isRegistered: () => this.#registration.isDone,
      write,
    });
    const counted = (...words: string[]) => {
      this.#speech.spend();
      write(...words);
    };
    this.#whois = new WhoisDesk(clock, fold, counted);
    const { lastNicks } = memory;
    this.#nicks = new Nicks({
      fold,
      most: () => this.#about.mostWatched,
      tell: (nick, on) => counted("MONITOR", on ? "+" : "-", nick),
      left: (conversation) => events.left(conversation),
      back: (conversation) => events.back(conversation),
      lastNicks,
    });
    this.#people = new People({
      nicks: this.#nicks,
      clock,
      fold,
      lookUp: (nick) => this.#whois.ask(nick),
      caughtUp: () => this.#speech.caughtUp(),
      lastNicks,
    });
    this.#signIn = new SignIn({
      settings,
      clock,
      fold,
      myNick: () => this.identity.nick,
      write,
      changed: () => this.#tell(),
      signedIn: () => this.#ownRooms.mayWork(),
      lost: (failure) => this.#link.end(failure),
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
    const { client } = this.#link;
    this.#registration.listen(client);
    client.on("privmsg", (event) => this.#onMessage(event, false));
    client.on("action", (event) => this.#onMessage(event, true));
    client.on("ctcp request", ({ nick, type, message }) => {
      if (type === "PING") this.#link.write("NOTICE", nick, `\u0001${message.slice(0, 100)}\u0001`);
    });
    const onAbort = () => void this.close();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#link.connect();
      await this.#registration.over;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    this.#markAsBot();
    this.#signIn.begin();
    this.#ownRooms.joinAll();
  }

  say(target: () => Promise<string>, text: string): Promise<void> {
    return this.#speech.say(target, text);
  }

  /** Resolves when the server has answered a PING: it has then handled everything that was sent before. */
  roundTrip(): Promise<void> {
    return this.#speech.roundTrip();
  }

  /** Says goodbye and waits shortly for the server to hang up. */
  async close(): Promise<void> {
    if (this.#link.closed.aborted) return;
    this.#ownRooms.stop();
    this.#signIn.stop();
    this.#ownNick.stop();
    this.#endQuestions();
    this.#registration.fail(this.#link.failure);
    await this.#link.close(this.#registration.isDone);
  }

  #onMessage(event: MessageEvent, action: boolean): void {
    const heard = readMessage(event, action, this.identity);
    if (heard) this.#events.message(heard);
  }

  #onLine(line: IrcLine): void {
    this.#about.line(line);
    this.#signIn.line(line);
    tellNicks(this.#nicks, line, this.#about);
    this.#whois.line(line);
    this.#ownRooms.line(line);
    this.#ownNick.line(line);
    this.#registration.line(line);
    this.#speech.line(line);
  }

  /** Marks the bot as a bot, where the server has a mark for that. */
  #markAsBot(): void {
    const { botMode, identity } = this.#about;
    if (botMode !== null) this.#link.write("MODE", identity.nick, `+${botMode}`);
  }

  #tell(): void {
    this.#events.trouble(this.#signIn.sentence ?? this.#roomTrouble);
  }

  /** Nobody answers any more what the server was asked. */
  #endQuestions(): void {
    this.#whois.end(this.#link.failure);
    this.#speech.end(this.#link.failure);
  }
}
