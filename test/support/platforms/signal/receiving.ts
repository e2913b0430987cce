import { once } from "node:events";
import type { Server } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

const PING_MS = 54_000;
/** Most bytes of a message from the client; the server ends the connection for a longer one. */
const MOST_FROM_CLIENT = 512;

/** The WebSocket on which messages are delivered as they come. A client that is not connected misses them. */
export class Receiving {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MOST_FROM_CLIENT });
  readonly #sockets = new Map<WebSocket, { number: string; timer: NodeJS.Timeout }>();
  readonly #onChange: () => void;
  /** Number of frames that were lost because no client was connected. */
  lost = 0;
  /** Connections are accepted and then nothing is ever said, not even a ping. */
  silent = false;

  constructor(http: Server, onChange: () => void) {
    this.#onChange = onChange;
    http.on("upgrade", (request, socket, head) => {
      const number = /^\/v1\/receive\/([^/?]+)$/.exec(request.url ?? "")?.[1];
      if (number === undefined) return void socket.destroy();
      this.#server.handleUpgrade(request, socket, head, (client) =>
        this.#open(client, decodeURIComponent(number)),
      );
    });
  }

  count(number: string): number {
    return [...this.#sockets.values()].filter((one) => one.number === number).length;
  }

  /** Every client gets every frame. */
  send(number: string, frame: string): void {
    let heard = false;
    for (const [socket, { number: account }] of this.#sockets) {
      if (account !== number || this.silent) continue;
      socket.send(frame);
      heard = true;
    }
    if (!heard) this.lost += 1;
  }

  /** Resolves when each client has heard it. */
  async ping(): Promise<void> {
    const heard = [...this.#sockets.keys()].map((socket) => once(socket, "pong"));
    for (const socket of this.#sockets.keys()) socket.ping();
    await Promise.all(heard);
  }

  /** Cuts all connections without a close frame: the client sees code 1006. */
  cut(): void {
    for (const [socket, { timer }] of this.#sockets) {
      clearInterval(timer);
      socket.terminate();
    }
    this.#sockets.clear();
  }

  #open(socket: WebSocket, number: string): void {
    const timer = setInterval(() => this.silent || socket.ping(), PING_MS);
    this.#sockets.set(socket, { number, timer });
    this.#onChange();
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(timer);
      this.#sockets.delete(socket);
      this.#onChange();
    });
  }
}
