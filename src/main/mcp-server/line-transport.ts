import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";

/** Most bytes of one message. */
const mostBytes = 32 * 1024 * 1024;

/**
 * MCP over two streams, one message a line. A line that is no message, or too long, is answered with an error and does no
 * other harm. Ends when the input ends.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when nothing is read any more. */
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #tellEnded: () => void;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isOver = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#tellEnded = resolve;
  }

  async start(): Promise<void> {
    const end = () => void this.close();
    this.#input.on("data", (chunk: Buffer) => this.#take(chunk));
    for (const event of ["end", "close", "error"]) this.#input.once(event, end);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#input.destroy();
    this.#pieces = [];
    this.onclose?.();
    this.#tellEnded();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      this.#line();
    }
    this.#add(chunk.subarray(from));
  }

  /** What is too long is counted and not kept. */
  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > mostBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #line(): void {
    const text = Buffer.concat(this.#pieces).toString("utf8").trim();
    const isTooLong = this.#bytes > mostBytes;
    this.#pieces = [];
    this.#bytes = 0;
    if (isTooLong) this.#refuse(-32_600, `A message may have at most ${mostBytes / 1024 / 1024} MB.`);
    else if (text !== "") this.#message(text);
  }

  #message(text: string): void {
    const value = attempt(() => JSON.parse(text) as unknown);
    const message = value && attempt(() => parseJSONRPCMessage(value.got));
    if (message) this.onmessage?.(message.got);
    else if (value) this.#refuse(-32_600, "That line is not a JSON-RPC message.");
    else this.#refuse(-32_700, "That line is not JSON.");
  }

  #refuse(code: number, message: string): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: "2.0", id: null, error: { code, message } });
  }

  #write(message: unknown): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}

/** Undefined when it fails. */
function attempt<T>(make: () => T): { got: T } | undefined {
  try {
    return { got: make() };
  } catch {
    return undefined;
  }
}
