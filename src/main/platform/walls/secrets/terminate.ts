import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { isIP, type Socket } from "node:net";
import { type Duplex, duplexPair, pipeline } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import { joinSockets } from "../join-sockets.ts";
import type { PutInSecret } from "../wall.ts";
import type { HostIdentity } from "./authority.ts";
import { masked, maskStream } from "./mask.ts";
import { CannotPutIn, otherHostOf, type Place, pairsOf, type Rewritten, rewritten } from "./rewrite.ts";
import { spot } from "./spot.ts";

export interface Terminal {
  place: Place;
  /** What we show to the process in the place of the host's own certificate. */
  identity: HostIdentity;
  /** The secrets that are put in on the way to this place. */
  here: readonly PutInSecret[];
  /** The placeholders of all secrets of the process. */
  all: readonly string[];
  /** Told where no value was put in: another host than this, or a part of a request that stays as it is. */
  refused(target: string): void;
}

/** Headers of an answer that are about one connection, or lead past this one. */
const ofTheConnection = new Set(["alt-svc", "connection", "keep-alive", "proxy-connection", "trailer"]);

/**
 * Speaks HTTP/1.1 to the process as if it were the host, and to the host itself over the open connection, whose
 * certificate is verified as always; values are put into each request.
 */
export function terminate(inner: Socket, upstream: Socket, terminal: Terminal): void {
  const { place, identity, here, all, refused } = terminal;
  const where = `${place.host}:${place.port}`;
  const host = new HostConnection(upstream, place, () =>
    refused(`${where}, whose certificate does not hold`),
  );
  const server = createServer({
    ...identity,
    ALPNProtocols: ["http/1.1"],
    SNICallback: (name, done) => {
      if (name.toLowerCase() === place.host) return done(null);
      refused(`${name} at ${where}`);
      done(new Error("Another host was asked for."));
    },
  });
  server.on("tlsClientError", () => own.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());
  server.on("secureConnection", (client: TLSSocket) => {
    client.on("error", () => {});
    host.onOver(() => client.end());
    if (client.servername || isIP(place.host) !== 0) return;
    refused(`no name at ${where}`);
    client.destroy();
  });
  server.on("request", (asked: IncomingMessage, answer: ServerResponse) => {
    const ready = judged(asked, answer);
    const look = () => spot(asked, all, () => refused(`the body of a request to ${where}`));
    if (ready) void pass(asked, answer, ready, host, look);
  });
  server.on("upgrade", (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => {});
    const ready = judged(asked, client);
    if (ready) void upgrade(asked, client, head, ready, host);
  });
  server.on("connect", (asked: IncomingMessage, client: Duplex) => {
    refused(`${asked.url} at ${where}`);
    refuse(client, 405, "Connections cannot be made through this host.");
  });
  const own = overPair(inner);
  own.once("close", () => host.close());
  server.emit("connection", own);

  /** What is sent on; null when the request was answered because it may not be. */
  function judged(asked: IncomingMessage, answer: ServerResponse | Duplex): Rewritten | null {
    const other = otherHostOf(asked, place);
    if (other !== null) {
      refused(`${other} at ${where}`);
      refuse(answer, 421, `This connection leads to ${where}, and the request names another host.`);
      return null;
    }
    try {
      const ready = rewritten(asked, here);
      const left = [ready.target, ...ready.headers];
      if (all.some((placeholder) => left.some((text) => text.includes(placeholder)))) refused(where);
      return ready;
    } catch (error) {
      // Nothing that a plugin sends may end the core.
      refuse(answer, 502, error instanceof CannotPutIn ? error.message : "The request cannot be sent on.");
      return null;
    }
  }
}

/**
 * The same connection as a stream that ends as TCP does: what the process still says after our end is taken and thrown
 * away. On a socket in the file system it would be an error in the process.
 */
function overPair(inner: Socket): Duplex {
  const [own, far] = duplexPair();
  inner.on("error", () => {});
  own.on("error", () => {});
  far.on("error", () => {});
  inner.pipe(far).pipe(inner);
  inner.once("close", () => own.destroy());
  own.once("close", () => {
    inner.unpipe(far);
    inner.resume();
    inner.end();
  });
  inner.resume();
  return own;
}

/** The one connection to the host that belongs to one of the process. It is secured when the first request comes. */
class HostConnection {
  readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #upstream: Socket;
  readonly #place: Place;
  readonly #unproven: () => void;
  #secured: Promise<TLSSocket> | undefined;
  #active = 0;
  #over = false;
  #whenOver = () => {};

  /** @param unproven told when the host cannot prove that it is the one that was asked for */
  constructor(upstream: Socket, place: Place, unproven: () => void) {
    this.#upstream = upstream;
    this.#place = place;
    this.#unproven = unproven;
    upstream.on("error", () => {});
    upstream.once("close", () => {
      this.#over = true;
      this.#settle();
    });
  }

  /** Rejects with the error of the connection, or of its certificate; nothing was sent then. */
  secured(): Promise<TLSSocket> {
    this.#secured ??= this.#secure();
    return this.#secured;
  }

  onOver(listener: () => void): void {
    this.#whenOver = listener;
    this.#settle();
  }

  /** One more request is under way. @returns to be called when it is over */
  begin(): () => void {
    this.#active += 1;
    return () => {
      this.#active -= 1;
      this.#settle();
    };
  }

  close(): void {
    this.agent.destroy();
    this.#upstream.destroy();
  }

  /** The process keeps its connection as long as there is one to the host, and until it has its answers. */
  #settle(): void {
    if (this.#over && this.#active === 0) this.#whenOver();
  }

  async #secure(): Promise<TLSSocket> {
    const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
    const { host } = this.#place;
    const socket = connect({
      socket: this.#upstream,
      host,
      servername: isIP(host) ? "" : host,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
    });
    socket.on("error", (error) => {
      if (socket.authorizationError) this.#unproven();
      reject(error);
    });
    socket.once("close", () => reject(new Error("The host closed the connection.")));
    socket.once("secureConnect", () => resolve(socket));
    const secured = await promise;
    this.agent.createConnection = () => secured;
    return secured;
  }
}

async function pass(
  asked: IncomingMessage,
  answer: ServerResponse,
  { target, headers, hidden }: Rewritten,
  host: HostConnection,
  look: () => void,
): Promise<void> {
  const over = host.begin();
  answer.once("close", over);
  answer.sendDate = false;
  const fail = (error: Error) => refuse(answer, 502, `The host cannot be reached: ${error.message}`);
  try {
    await host.secured();
    const forward = httpRequest({ agent: host.agent, method: asked.method, path: target, headers });
    forward.on("error", fail);
    forward.on("response", (got) => passBack(got, answer, hidden));
    // A connection that becomes something else has to be asked for as that.
    forward.on("upgrade", (_got, socket) => {
      socket.destroy();
      answer.destroy();
    });
    answer.once("close", () => {
      if (!answer.writableFinished) forward.destroy();
    });
    // Whoever listens starts the flow, so not before there is somewhere to flow to.
    look();
    pipeline(asked, forward, () => {});
  } catch (error) {
    fail(error as Error);
  }
}

/** What a server says may be nothing that one may say to a client, such as a status of two digits: then nothing is said. */
function passBack(got: IncomingMessage, answer: ServerResponse, hidden: readonly string[]): void {
  try {
    const { statusCode = 502, statusMessage = "" } = got;
    answer.writeHead(statusCode, masked(statusMessage, hidden), answered(got, hidden));
    pipeline(got, maskStream(hidden), answer, () => {});
  } catch {
    got.destroy();
    answer.destroy();
  }
}

/** A request for another protocol on the same connection, such as a web socket. Its messages stay as they are. */
async function upgrade(
  asked: IncomingMessage,
  client: Duplex,
  head: Buffer,
  { target, headers, hidden }: Rewritten,
  host: HostConnection,
): Promise<void> {
  const over = host.begin();
  client.once("close", over);
  try {
    await host.secured();
    const { upgrade: protocol = "" } = asked.headers;
    const all = [...headers, "Connection", "Upgrade", "Upgrade", protocol];
    const forward = httpRequest({ agent: host.agent, method: asked.method, path: target, headers: all });
    forward.on("error", () => client.destroy());
    forward.on("upgrade", (got, upstream, first) => {
      client.write(headOf(got, got.rawHeaders, hidden));
      if (first.length > 0) client.write(first);
      if (head.length > 0) upstream.write(head);
      joinSockets(client, upstream);
    });
    forward.on("response", (got) => {
      client.write(headOf(got, [...answered(got, hidden), "Connection", "close"], hidden));
      pipeline(got, maskStream(hidden), client, () => {});
    });
    forward.end();
  } catch (error) {
    refuse(client, 502, `The host cannot be reached: ${(error as Error).message}`);
  }
}

/** The headers of an answer as they are passed on. How its body is cut into pieces is decided anew. */
function answered({ rawHeaders }: IncomingMessage, hidden: readonly string[]): string[] {
  return pairsOf(rawHeaders)
    .filter(
      ([name]) => !ofTheConnection.has(name.toLowerCase()) && name.toLowerCase() !== "transfer-encoding",
    )
    .flatMap(([name, value]) => [name, masked(value, hidden)]);
}

function headOf(
  { statusCode, statusMessage }: IncomingMessage,
  headers: readonly string[],
  hidden: readonly string[],
): string {
  const lines = pairsOf(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines].join("\r\n");
  return `${masked(head, hidden)}\r\n\r\n`;
}

function refuse(answer: ServerResponse | Duplex, status: number, sentence: string): void {
  const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
  if (!("writeHead" in answer)) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    answer.end([`HTTP/1.1 ${status} Refused`, ...lines, "", `${sentence}\n`].join("\r\n"));
  } else if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, headers).end(`${sentence}\n`);
}
