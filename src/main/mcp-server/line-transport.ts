import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { LineSplitter } from "../platform/lines/byte-lines.ts";

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
  readonly #lines = new LineSplitter(mostBytes);
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
    this.onclose?.();
    this.#tellEnded();
  }

  #take(chunk: Buffer): void {
    for (const line of this.#lines.push(chunk)) {
      if (!("text" in line))
        this.#refuse(-32_600, `A message may have at most ${mostBytes / 1024 / 1024} MB.`);
      else if (line.text.trim() !== "") this.#message(line.text);
    }
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
