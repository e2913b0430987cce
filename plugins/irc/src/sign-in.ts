import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { IrcLine } from "irc-framework";
import type { IrcChannel } from "./settings.ts";

/** Milliseconds until NickServ is told the password again that did not answer; each further time twice as long. */
const FIRST_MS = 15_000;
const LAST_MS = 10 * 60_000;
/** Milliseconds between two times at least. */
const LEAST_MS = 5_000;

export interface SignInParts {
  settings: IrcChannel;
  clock: ChannelClock;
  fold(nick: string): string;
  myNick(): string;
  write(...words: string[]): void;
  /** `sentence` may have changed. */
  changed(): void;
  /** The account is set. */
  signedIn(): void;
  /** The account is gone, and only a new connection can bring it back. */
  lost(failure: ChannelFailure): void;
}

/** The bot's own account: tells NickServ the password, again when services were away, and knows whether it was accepted. */
export class SignIn {
  readonly #parts: SignInParts;
  #isIn = false;
  #sentence: string | null = null;
  #tries = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #callOff = () => {};

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** What is wrong with the account now; null when nothing is. */
  get sentence(): string | null {
    return this.#sentence;
  }

  /** The server has registered the nick. */
  begin(): void {
    if (this.#byMessage) this.#ask();
  }

  stop(): void {
    this.#callOff();
  }

  /** Something says that services are there. */
  mayWork(): void {
    if (!this.#byMessage || this.#isIn) return;
    const wait = LEAST_MS - (this.#parts.clock.now() - this.#askedAt);
    this.#callOff();
    if (wait <= 0) this.#ask();
    else this.#callOff = this.#parts.clock.after(wait, () => this.#ask());
  }

  line({ command, params, nick }: IrcLine): void {
    const { fold, myNick, settings } = this.#parts;
    const last = params.at(-1) ?? "";
    switch (command) {
      case "900":
        this.#in();
        return;
      case "901":
        this.#out();
        return;
      case "MODE":
        // Servers without numeric 900 mark who is signed in. The bot itself cannot set this.
        if (
          fold(params[0] ?? "") === fold(myNick()) &&
          fold(nick) !== fold(myNick()) &&
          /^\+\w*[rR]/.test(params[1] ?? "")
        ) {
          this.#in();
        }
        return;
      case "CAP":
        if (params[1] === "NEW" && /(?:^| )sasl(?:=|$| )/.test(last)) this.mayWork();
        return;
      case "401":
      case "440":
        if (fold(params[1] ?? "") === "nickserv" && this.#byMessage && !this.#isIn) {
          this.#say("NickServ is not there now. It is told the password when it comes back.");
        }
        return;
      case "NOTICE":
        if (fold(nick) === "nickserv" && settings.password !== "") this.#notice(last);
    }
  }

  get #byMessage(): boolean {
    return this.#parts.settings.signIn === "nickserv" && this.#parts.settings.password !== "";
  }

  #notice(text: string): void {
    if (this.#isIn || !this.#byMessage) return;
    if (
      /(?:now|already|been) (?:identified|recognized|recognised|logged in|authenticated)|password accepted/i.test(
        text,
      )
    ) {
      this.#in();
    } else if (/invalid|incorrect|wrong|denied|not (?:a )?registered|not accepted/i.test(text)) {
      this.#say(`NickServ did not accept the account (${text.slice(0, 200)}). Check account and password.`);
    } else if (/identify/i.test(text)) this.mayWork();
  }

  #in(): void {
    this.#callOff();
    this.#isIn = true;
    this.#tries = 0;
    this.#say(null);
    this.#parts.signedIn();
  }

  #out(): void {
    if (!this.#isIn) return;
    this.#isIn = false;
    if (this.#byMessage) this.mayWork();
    else this.#parts.lost(new ChannelFailure("offline", "The network has signed the account out."));
  }

  #ask(): void {
    const { settings, clock, write } = this.#parts;
    this.#callOff();
    this.#askedAt = clock.now();
    write(
      "PRIVMSG",
      "NickServ",
      `IDENTIFY ${settings.account === "" ? "" : `${settings.account} `}${settings.password}`,
    );
    const wait = Math.min(FIRST_MS * 2 ** this.#tries, LAST_MS);
    this.#tries = Math.min(this.#tries + 1, 20);
    this.#callOff = clock.after(wait, () => {
      if (!this.#isIn) this.#ask();
    });
  }

  #say(sentence: string | null): void {
    const { account, nick } = this.#parts.settings;
    const whole = sentence === null ? null : `The account ${account || nick} is not signed in: ${sentence}`;
    if (whole === this.#sentence) return;
    this.#sentence = whole;
    this.#parts.changed();
  }
}
