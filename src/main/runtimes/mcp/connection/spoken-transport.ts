import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/client";
import { isObject } from "../../../../contract/is-object.ts";
import { LineSplitter } from "../../../platform/lines/byte-lines.ts";
import type { HostExit, SpawnedHost } from "../../../platform/platform.ts";

/** Most bytes of one message. */
export const MOST_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Code of the error that stands for an answer which cannot be read. */
export const UNREADABLE = -32_700;
/** Last lines of the error output that are kept, to be read when the program ends. */
const LAST_LINES = 20;
/** Most lines on the output that are no messages; with more the program is ended. */
const MOST_NOISE = 10_000;

/** What a server's program does beside speaking the protocol. */
export interface SpokenEvents {
  /** A line of its error output. */
  said(line: string): void;
  /** A line of its output that is no message; `count` is how many there were. */
  noise(line: string, count: number): void;
  /** It sent a message that is too large, so it was ended. */
  tooLarge(): void;
}

/** Who reads messages before the client does. */
export interface SharedReader {
  /** Whether the message was for it; the client then does not get it. */
  take(message: JSONRPCMessage): boolean;
  /** Nothing more is coming. */
  over(): void;
}

/** The protocol over the standard input and output of a program: one JSON value a line, and everything else is counted. */
export class SpokenTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Resolves when the program and all that it started are gone. */
  readonly exited: Promise<HostExit>;
  /** The last lines of its error output. */
  readonly lastLines: string[] = [];
  readonly #host: SpawnedHost;
  readonly #events: SpokenEvents;
  #reader: SharedReader | undefined;
  #noise = 0;
  /** A notification that was handed on, and what came right after it. */
  readonly #waiting: JSONRPCMessage[] = [];
  #isOver = false;
  #hasExited = false;
  #endedFor: string | undefined;

  constructor(host: SpawnedHost, events: SpokenEvents) {
    this.#host = host;
    this.#events = events;
    const { promise, resolve } = Promise.withResolvers<HostExit>();
    this.exited = promise;
    const errors = new LineSplitter();
    host.onOutput((stream, chunk) => {
      if (stream !== "stderr") return;
      for (const line of errors.push(chunk)) this.#heard("text" in line ? line.text : line.head);
    });
    const messages = new LineSplitter(MOST_MESSAGE_BYTES);
    host.onData((chunk) => {
      for (const line of messages.push(chunk)) {
        if (this.#isOver) return;
        if ("text" in line) this.#read(line.text);
        else this.#refuse();
      }
    });
    host.onExit((exit) => {
      this.#hasExited = true;
      const last = errors.end();
      if (last) this.#heard("text" in last ? last.text : last.head);
      resolve(this.#endedFor === undefined ? exit : { ...exit, endedFor: this.#endedFor });
      this.#close();
    });
  }

  get pid(): number | null {
    return this.#host.pid ?? null;
  }

  /** The program has ended. */
  get hasExited(): boolean {
    return this.#hasExited;
  }

  async start(): Promise<void> {}

  /** Lets somebody else read the messages first. */
  share(reader: SharedReader): void {
    this.#reader = reader;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(message);
  }

  /** Sends a message. @throws Error when the program has ended */
  write(message: JSONRPCMessage): void {
    if (this.#isOver) throw new Error("The program has ended.");
    this.#host.write(`${JSON.stringify(message)}\n`);
    if (this.#host.unsentBytes > MOST_MESSAGE_BYTES) this.end("it does not read what it is sent");
  }

  /** Closes its input; a server ends by itself then. */
  async close(): Promise<void> {
    this.#host.closeWire();
    this.#close();
  }

  /** Ends the program and everything that it started. */
  end(why?: string): void {
    this.#endedFor ??= why;
    this.#host.kill();
  }

  #read(text: string): void {
    if (text.trim() === "") return;
    const message = messageIn(text);
    if (message) {
      this.#deliver(message);
      return;
    }
    this.#noise += 1;
    this.#events.noise(text.slice(0, 500), this.#noise);
    if (this.#noise >= MOST_NOISE) this.end(`it printed ${this.#noise} lines that are no messages`);
  }

  /**
   * Hands on messages in their order. The client looks at a notification a moment later than at an answer; so what follows a
   * notification waits for that, or the progress of a call would come after its end, and be lost.
   */
  #deliver(message: JSONRPCMessage): void {
    if (this.#waiting.length > 0) return void this.#waiting.push(message);
    if (this.#reader?.take(message)) return;
    this.onmessage?.(message);
    if ("id" in message) return;
    this.#waiting.push(message);
    void this.#deliverRest();
  }

  async #deliverRest(): Promise<void> {
    for (let at = 1; ; at += 1) {
      await null;
      await null;
      const message = this.#waiting[at];
      if (message === undefined) break;
      if (!this.#reader?.take(message)) this.onmessage?.(message);
    }
    this.#waiting.length = 0;
  }

  #refuse(): void {
    this.#events.tooLarge();
    this.end(`it sent a message of more than ${MOST_MESSAGE_BYTES / 1024 / 1024} MB`);
  }

  #heard(line: string): void {
    const plain = plainOf(line);
    this.lastLines.push(plain);
    if (this.lastLines.length > LAST_LINES) this.lastLines.shift();
    this.#events.said(plain);
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader?.over();
    this.onclose?.();
  }
}

/** The message in a line; null when it is none. What a message says is judged by the client. */
function messageIn(text: string): JSONRPCMessage | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const value = JSON.parse(text);
    if (value.jsonrpc !== "2.0") return null;
    return "id" in value && !("method" in value) && !isAnswer(value) ? unreadableAnswer(value.id) : value;
  } catch {
    return null;
  }
}

/** Whether what has the id of a request answers it in a form that the client takes; it would wait on otherwise. */
function isAnswer({ result, error }: Record<string, unknown>): boolean {
  if (error === undefined) return isObject(result);
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === "string";
}

/** Stands for an answer that cannot be read. */
function unreadableAnswer(id: JSONRPCRequest["id"]): JSONRPCMessage {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: UNREADABLE, message: "It answered in a form that cannot be read." },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the escape sequences of terminals
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g;

/** A line without the escape sequences of terminals. */
function plainOf(line: string): string {
  return line.replace(escapes, "").slice(0, 4_000);
}
