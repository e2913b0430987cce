import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a bot and its server, and does to the connection what networks do. */
export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Takes connections in and passes nothing on. */
  silent = false;
  /** Passes on what the bot says, and nothing of what the server says. */
  deaf = false;
  /** Hangs up on whoever connects. */
  refusing = false;
  /** Passes on what the server says in pieces of so many bytes, each by itself. Null: as it comes. */
  pieces: number | null = null;
  /** Passes on what the server says without what this finds in one piece of it. Null: all of it. */
  without: RegExp | null = null;
  /** What was left out because of `without`. */
  readonly leftOut: string[] = [];

  static async open(target: () => number): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new TcpProxy(server, target);
  }

  private constructor(server: Server, target: () => number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (inner) => {
      this.#watch(inner);
      if (this.refusing) return void inner.destroy();
      const outer = connect(target(), "127.0.0.1");
      this.#watch(outer);
      inner.on("data", (chunk) => this.silent || outer.write(chunk));
      let passing: Promise<void> | null = null;
      outer.on("data", (chunk) => {
        if (this.silent || this.deaf) return;
        const said = this.#partOf(chunk);
        if (this.pieces === null && passing === null) return void inner.write(said);
        const pieces = piecesOf(said, this.pieces ?? said.length);
        const passed: Promise<void> = Promise.resolve(passing)
          .then(() => passOn(pieces, inner))
          .finally(() => {
            if (passing === passed) passing = null;
          });
        passing = passed;
      });
      inner.on("close", () => outer.destroy());
      outer.on("close", () => inner.destroy());
    });
  }

  /** Ends every connection without goodbye. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #partOf(chunk: Buffer): Buffer {
    if (this.without === null) return chunk;
    // One sign a byte: a letter that goes over the end of the piece stays whole.
    const text = chunk.toString("latin1").replace(this.without, (found) => {
      this.leftOut.push(found);
      return "";
    });
    return Buffer.from(text, "latin1");
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }
}

/** Writes pieces, each by itself: whoever reads them is given time to do so before the next follows. */
export async function passOn(pieces: readonly (Buffer | string)[], to: Socket): Promise<void> {
  to.setNoDelay(true);
  for (const piece of pieces) {
    if (to.destroyed) return;
    to.write(piece);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

function piecesOf(said: Buffer, bytes: number): Buffer[] {
  const count = Math.ceil(said.length / bytes);
  return Array.from({ length: count }, (_, index) => said.subarray(index * bytes, (index + 1) * bytes));
}

/**
 * A port that nothing listens on now. Not one that systems give to outgoing connections: such a port may be taken before
 * its server listens, and while it starts anew.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
