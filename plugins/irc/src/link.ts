import type { Socket } from "node:net";
import { type ChannelClock, ChannelFailure, failureOf, within } from "@patchbay/plugin-sdk/channel";
import { Client, type IrcLine } from "irc-framework";
import { clientOptions } from "./client-options.ts";
import type { IrcChannel } from "./settings.ts";
import { refuseOthers } from "./wire/certificate.ts";
import { refusalOf } from "./wire/failures.ts";

/** Milliseconds that the server may take to close the connection after QUIT. */
const GOODBYE_MS = 1_000;

export interface LinkParts {
  settings: IrcChannel;
  clock: ChannelClock;
  /** What the server says, each line after irc-framework has read it. */
  line(line: IrcLine): void;
  /** The socket is closed. */
  gone(): void;
  /** It has ended, or is useless, for this reason. May be called several times, also after `close`. */
  ended(failure: ChannelFailure): void;
}

/** The line to the server, from its first byte to its last, and why it ended. */
export class Link {
  readonly client = new Client();
  readonly #parts: LinkParts;
  readonly #closed = new AbortController();
  readonly #gone = Promise.withResolvers<void>();
  /** The most telling reason so far why it ended. */
  #reason: ChannelFailure | null = null;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /** Aborted when this side hangs up. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get failure(): ChannelFailure {
    return this.#reason ?? new ChannelFailure("offline", "The server closed the connection.");
  }

  connect(): void {
    const { client } = this;
    const { settings, line, gone, ended } = this.#parts;
    client.on("raw socket connected", (socket: Socket) => {
      // A message and the PING that confirms it are two small packets; with TCP's default the second would wait for the
      // first to be acknowledged.
      socket.setNoDelay(true);
      const { fingerprint } = settings;
      if (fingerprint !== "") refuseOthers(socket, fingerprint, (failure) => this.end(failure));
    });
    client.on("ping timeout", () => {
      this.#reason ??= new ChannelFailure("offline", "The server stopped answering.");
    });
    client.on("socket close", (error) => {
      if (error) this.#reason ??= failureOf(error);
      this.#gone.resolve();
      gone();
      ended(this.failure);
    });
    client.connection.on("message", (one) => {
      line(one);
      if (one.command === "ERROR") this.#lastWords(one.params.at(-1) ?? "");
    });
    client.connect(clientOptions(settings));
  }

  /** @throws ChannelFailure when it is closed */
  write(...words: string[]): void {
    if (this.closed.aborted) throw this.failure;
    this.client.raw(...words.map((word) => word.replace(/[\r\n\0]/g, " ")));
  }

  /** It cannot be used any more; whoever owns it closes it. */
  end(reason: ChannelFailure): void {
    this.#reason = reason;
    this.#parts.ended(reason);
  }

  /** Waits shortly for the server to hang up. @param goodbye whether it knows the bot by now, so that this says QUIT */
  async close(goodbye: boolean): Promise<void> {
    const { client } = this;
    this.#closed.abort();
    if (goodbye) client.quit("Goodbye");
    else client.connection.end();
    const late = () => new ChannelFailure("offline", "The server did not hang up.");
    await within(this.#parts.clock, GOODBYE_MS, this.#gone.promise, late).catch(() => {});
    client.removeAllListeners();
    client.connection.removeAllListeners();
    client.connection.transport?.disposeSocket();
    client.connection.clearTimers();
    this.#gone.resolve();
  }

  #lastWords(words: string): void {
    this.#reason = refusalOf(words) ?? this.#reason ?? new ChannelFailure("offline", words);
  }
}
