import type { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { Client, IrcLine } from "irc-framework";
import type { AccountDoubt } from "./account-doubt.ts";
import type { IrcChannel } from "./settings.ts";
import type { AboutServer } from "./wire/about-server.ts";
import { endIn, noSasl, saslFailure } from "./wire/failures.ts";

export interface RegistrationParts {
  settings: IrcChannel;
  about: AboutServer;
  doubt: AccountDoubt;
  /** The server does not give the nick to the bot. */
  nickTaken(): void;
  /** The welcome has ended, so the server has said by now what it is and how it compares names. */
  welcomed(): void;
  /** The server does not let the bot in, or not any more. */
  refused(failure: ChannelFailure): void;
}

/** How the server takes the bot in: its nick, its account with SASL, the welcome. */
export class Registration {
  readonly #parts: RegistrationParts;
  readonly #over = Promise.withResolvers<void>();
  #isDone = false;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
    // The promise may be rejected before anybody awaits it; without a handler that would be reported.
    this.#over.promise.catch(() => {});
  }

  /** Whether the server knows the bot by a nick. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Resolves after the welcome. @throws ChannelFailure what `fail` was told */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  listen(client: Client): void {
    client.on("registered", () => this.#onRegistered());
    const { doubt, refused } = this.#parts;
    client.on("sasl failed", ({ reason, message }) => refused(doubt.of(saslFailure(reason, message))));
  }

  /** It will not come to its end. */
  fail(failure: ChannelFailure): void {
    this.#over.reject(failure);
  }

  line(line: IrcLine): void {
    const { settings, nickTaken, welcomed, refused } = this.#parts;
    const end = endIn(line, settings.nick);
    if (end) refused(end);
    switch (line.command) {
      case "376":
      case "422":
        welcomed();
        this.#over.resolve();
        return;
      case "433":
      case "437":
        if (!this.#isDone) nickTaken();
        return;
    }
  }

  #onRegistered(): void {
    const { settings, about, doubt, refused } = this.#parts;
    const { account, signIn } = settings;
    if (account !== "" && signIn === "sasl") {
      if (!about.can("sasl")) {
        refused(doubt.of(noSasl()));
        return;
      }
      doubt.accepted();
    }
    this.#isDone = true;
  }
}
