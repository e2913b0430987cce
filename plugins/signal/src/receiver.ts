import { type ChannelClock, ChannelFailure } from "@patchbay/plugin-sdk/channel";
import WebSocket from "ws";
import { callAddress } from "./server-address.ts";
import { type Frame, frameSchema } from "./wire.ts";

/** The server pings every 54 s. A connection without any byte for longer than two pings is dead; milliseconds. */
const SILENCE_MS = 120_000;

export interface ReceiverEvents {
  frame(frame: Frame): void;
  /** Called for a frame that cannot be understood, or a failure that the server reports of itself. */
  odd(sentence: string): void;
  lost(failure: ChannelFailure): void;
}

/**
 * The socket on which messages arrive. It is read at all times, because the server drops messages while nobody reads.
 * Nothing is ever written to it, because the server closes a connection that writes.
 */
export class Receiver {
  readonly #socket: WebSocket;
  readonly #clock: ChannelClock;
  readonly #events: ReceiverEvents;
  readonly #opened = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  #closing = false;
  #callOff = () => {};

  constructor(server: string, number: string, clock: ChannelClock, events: ReceiverEvents) {
    this.#clock = clock;
    this.#events = events;
    const address = callAddress(server, `v1/receive/${encodeURIComponent(number)}`);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new WebSocket(address, { maxPayload: 8 * 1024 * 1024, followRedirects: false });
    this.#opened.promise.catch(() => {});
    this.#listen();
  }

  /** Resolves when the socket is open. @throws ChannelFailure `offline` */
  open(): Promise<void> {
    return this.#opened.promise;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#callOff();
    this.#socket.terminate();
    await this.#gone.promise;
  }

  #listen(): void {
    const socket = this.#socket;
    let reason = "The Signal server closed the connection.";
    socket.on("open", () => {
      this.#alive();
      this.#opened.resolve();
    });
    socket.on("ping", () => this.#alive());
    socket.on("message", (data) => {
      this.#alive();
      this.#read(String(data));
    });
    socket.on("error", (error) => {
      reason = `The Signal server cannot be reached: ${error.message}.`;
    });
    socket.on("close", () => {
      this.#callOff();
      this.#gone.resolve();
      const failure = new ChannelFailure("offline", reason);
      this.#opened.reject(failure);
      if (!this.#closing) this.#events.lost(failure);
    });
  }

  #alive(): void {
    this.#callOff();
    if (this.#closing) return;
    this.#callOff = this.#clock.limit(SILENCE_MS, () => {
      this.#events.lost(new ChannelFailure("offline", "The Signal server has gone silent."));
    });
  }

  #read(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#events.odd("The Signal server sent something that is not JSON.");
      return;
    }
    const { data: frame } = frameSchema.safeParse(value);
    if (!frame) this.#events.odd("The Signal server sent a message that makes no sense.");
    else if (frame.error) this.#events.odd(`The Signal server reports: ${wordsOf(frame.error)}`);
    else if (frame.envelope) this.#events.frame(frame);
    else if (frame.exception) this.#events.odd(`A message could not be read: ${wordsOf(frame.exception)}`);
  }
}

function wordsOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 300);
}
