import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";

/**
 * The name by which programs ask for servers of this computer: `localhost` is, for them, what runs behind their own wall.
 */
export const thisComputer = "host.internal";

/**
 * Opens a connection after it was judged. `who`: what the program said in `Proxy-Authorization`. Rejects with an error whose
 * `code` is `EACCES` for one that was refused, and `ENOBODY` where it is not known who asks.
 */
export type Reach = (host: string, port: number, signal: AbortSignal, who?: string) => Promise<Socket>;

/**
 * Answers at a listening socket as an HTTP proxy: `CONNECT`, and requests with a whole address. Each connection is opened by
 * `reach`, which decides about it.
 *
 * @returns closes it with all its connections
 */
export function serveProxy(listening: Server, reach: Reach): () => void {
  const http = createServer((asked, answer) => void pass(asked, answer, reach));
  const open = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => open.delete(socket));
  };
  http.on("connect", (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    keep(socket);
    void tunnel(asked, socket, head, reach);
  });
  http.on("clientError", (_error, socket) => socket.destroy());
  listening.on("error", () => {});
  listening.on("connection", (socket: Socket) => {
    keep(socket);
    http.emit("connection", socket);
  });
  listening.unref();
  return () => {
    listening.close();
    for (const socket of open) socket.destroy();
  };
}

async function tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer, reach: Reach): Promise<void> {
  const place = meant(URL.parse(`tcp://${asked.url}`));
  const port = Number(place?.port);
  if (!place || place.hostname === "" || !Number.isInteger(port) || port < 1) {
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    return;
  }
  try {
    const upstream = await reach(place.hostname, port, whileOpen(socket), whoOf(asked));
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    upstream.on("error", () => socket.destroy());
    socket.pipe(upstream);
    upstream.pipe(socket);
    socket.once("close", () => upstream.destroy());
    upstream.once("close", () => socket.destroy());
  } catch (error) {
    const { status, text, more } = refusalOf(error);
    const headers = Object.entries({ ...more, "content-type": "text/plain", connection: "close" });
    const lines = [`HTTP/1.1 ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
    socket.end(`${lines.join("\r\n")}\r\n\r\n${text}\n`);
  }
}

async function pass(asked: IncomingMessage, answer: ServerResponse, reach: Reach): Promise<void> {
  const place = meant(URL.parse(asked.url ?? ""));
  if (place?.protocol !== "http:") {
    answer.writeHead(400, { "content-type": "text/plain" }).end("This is a proxy.\n");
    return;
  }
  try {
    const signal = whileOpen(asked.socket);
    const upstream = await reach(place.hostname, Number(place.port || 80), signal, whoOf(asked));
    const headers = Object.fromEntries(
      Object.entries(asked.headers).filter(([name]) => !/^(?:proxy-|connection$)/.test(name)),
    );
    const forward = httpRequest({
      createConnection: () => upstream,
      method: asked.method,
      path: `${place.pathname}${place.search}`,
      headers: { ...headers, host: place.host, connection: "close" },
    });
    forward.on("error", () => answer.destroy());
    // A connection that becomes something else needs a tunnel.
    forward.on("upgrade", (_got, socket) => {
      socket.destroy();
      answer.destroy();
    });
    forward.on("response", (got) => passBack(got, answer));
    asked.pipe(forward);
  } catch (error) {
    const { status, text, more } = refusalOf(error);
    answer.writeHead(Number.parseInt(status, 10), { ...more, "content-type": "text/plain" }).end(`${text}\n`);
  }
}

/** The same address, with the name that a server of this computer knows. */
function meant(place: URL | null): URL | null {
  if (place?.hostname === thisComputer) place.hostname = "localhost";
  return place;
}

/** What a server says may be nothing that one may say to a client, such as a status of two digits: then nothing is said. */
function passBack(got: IncomingMessage, answer: ServerResponse): void {
  try {
    answer.writeHead(got.statusCode ?? 502, got.statusMessage, got.headers);
    pipeline(got, answer, () => {});
  } catch {
    got.destroy();
    answer.destroy();
  }
}

/** Aborted when the program gives up. */
function whileOpen(socket: Duplex): AbortSignal {
  const over = new AbortController();
  socket.once("close", () => over.abort());
  return over.signal;
}

function whoOf({ headers }: IncomingMessage): string | undefined {
  return headers["proxy-authorization"];
}

interface Refusal {
  status: string;
  text: string;
  /** Headers of the answer. */
  more: Record<string, string>;
}

function refusalOf(error: unknown): Refusal {
  const { code, message: text } = error as NodeJS.ErrnoException;
  switch (code) {
    case "EACCES":
      return { status: "403 Forbidden", text, more: {} };
    case "ENOBODY":
      return {
        status: "407 Proxy Authentication Required",
        text,
        more: { "proxy-authenticate": 'Basic realm="Patchbay"' },
      };
    default:
      return { status: "502 Bad Gateway", text, more: {} };
  }
}
