import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatUpdate {
  id?: string;
  chat: string;
  from: string;
  text: string;
  name?: string;
  group?: boolean;
  mentioned?: boolean;
  file?: { name: string; mimeType: string; data: string };
}
export interface ChatMessage {
  chat: string;
  text?: string;
  file?: { name: string; data: string };
}

/**
 * A small chat platform: pairs an account by a code, gives out messages one by one, and keeps those that are sent to
 * it.
 */
export class ChatServer {
  readonly sent: ChatMessage[] = [];
  readonly #codes = new Map<string, boolean>();
  readonly #queue: ChatUpdate[] = [];
  readonly #waiting: ServerResponse[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #read = 0;
  #nextId = 1;

  static async open(): Promise<ChatServer> {
    const chat = new ChatServer();
    chat.#server.listen(0, "127.0.0.1");
    await once(chat.#server, "listening");
    return chat;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds a message of a person, for the next request of the channel. */
  say(update: Omit<ChatUpdate, "id"> & { id?: string }): void {
    this.#queue.push({ id: `m${this.#nextId++}`, ...update });
    this.#deliver();
  }

  /** Resolves with the next sent message that no earlier call returned. */
  async next(): Promise<ChatMessage> {
    while (this.sent.length <= this.#read) await once(this.#server, "sent");
    return this.sent[this.#read++] as ChatMessage;
  }

  /** The person scans the code that is shown. */
  scan(): void {
    for (const code of this.#codes.keys()) this.#codes.set(code, true);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (url.pathname === "/pair" && request.method === "POST") {
      const code = `code-${this.#codes.size + 1}`;
      this.#codes.set(code, false);
      return void response.end(JSON.stringify({ code }));
    }
    if (url.pathname === "/pair") {
      const isPaired = this.#codes.get(url.searchParams.get("code") ?? "") === true;
      return void response.end(JSON.stringify(isPaired ? { token: "chat-token-4711", account: "@bot" } : {}));
    }
    if (request.headers.authorization !== "Bearer chat-token-4711") return void response.writeHead(401).end();
    if (url.pathname === "/next") {
      this.#waiting.push(response);
      response.once("close", () => this.#waiting.splice(this.#waiting.indexOf(response) >>> 0, 1));
      return this.#deliver();
    }
    this.sent.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end(JSON.stringify({ id: `out-${this.sent.length}` }));
    this.#server.emit("sent");
  }

  #deliver(): void {
    if (this.#queue.length === 0) return;
    const response = this.#waiting.shift();
    if (response) response.end(JSON.stringify(this.#queue.shift()));
  }
}
