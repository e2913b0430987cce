import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Failure, Said, Wire } from "./provider-wire.ts";

/** What the server does with one request for an answer. */
export type Step =
  | { say: Said }
  /** `retryAfter`: seconds, in the place of the one that a provider asks for by itself. */
  | { fail: Failure; retryAfter?: number }
  /** The connection breaks before a byte of the answer, or after so many of its events. */
  | { cut: "before" }
  | { cut: "after"; say: Said; events: number }
  /** Nothing comes, ever. */
  | { hang: true }
  /** A page in the place of an answer. */
  | { page: true }
  /** The request is sent on to another address. */
  | { sendOn: string }
  /** Events that are none. */
  | { garbage: true };

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface ProviderServer extends AsyncDisposable {
  url: string;
  /** Requests for an answer; those for the list are counted apart. */
  requests: SeenRequest[];
  listings: IncomingHttpHeaders[];
  /** How many requests of any kind came. */
  readonly seen: number;
  /** Answers of the next requests, one after the other. */
  next(...steps: Step[]): void;
  /** Resolves when a request that hangs was given up by the other side. */
  givenUp: Promise<void>;
}

/** A provider on loopback that speaks on a real wire, and does with each request what it is told. */
export async function providerServer(
  wire: Wire,
  key = "good-key",
  models: readonly string[] = [],
): Promise<ProviderServer> {
  const requests: SeenRequest[] = [];
  const listings: IncomingHttpHeaders[] = [];
  let steps: Step[] = [];
  const gone = Promise.withResolvers<void>();
  let seen = 0;
  const server = createServer((request, response) => {
    seen += 1;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const isKnown = request.headers[wire.key.header] === wire.key.value(key);
      if (request.method === "GET") {
        listings.push(request.headers);
        send(response, isKnown ? { status: 200, body: wire.models(models) } : wire.error("key"));
        return;
      }
      if (!wire.path.test(path)) {
        send(response, { status: 404, body: { error: `no ${path}` } });
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      requests.push({ path, headers: request.headers, body });
      if (!isKnown) {
        send(response, wire.error("key"));
        return;
      }
      const step = steps.shift() ?? { fail: "broken" };
      if ("hang" in step) response.on("close", () => gone.resolve());
      play(wire, step, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    listings,
    get seen() {
      return seen;
    },
    givenUp: gone.promise,
    next(...more) {
      steps = [...steps, ...more];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers?: Record<string, string>; body: unknown },
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function play(wire: Wire, step: Step, response: ServerResponse): void {
  if ("hang" in step) return;
  if ("sendOn" in step) {
    response.writeHead(307, { location: step.sendOn }).end();
    return;
  }
  if ("fail" in step) {
    const { headers, ...error } = wire.error(step.fail);
    const wait =
      step.retryAfter === undefined ? headers : { ...headers, "retry-after": String(step.retryAfter) };
    send(response, { ...error, ...(wait && { headers: wait }) });
  } else if ("page" in step)
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><title>Welcome</title><p>It works.");
  else if ("cut" in step && step.cut === "before") response.destroy();
  else stream(wire, step, response);
}

type Streamed = Extract<Step, { say: Said } | { garbage: true }>;

function stream(wire: Wire, step: Streamed, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  if ("garbage" in step) response.end("data: {not json\n\n\u0000\u0001data: 7\n\nnoise\n\n");
  else if ("cut" in step)
    // Only what has arrived at the other side counts as sent.
    response.write(wire.stream(step.say).slice(0, step.events).join(""), () =>
      setImmediate(() => response.destroy()),
    );
  else response.end(wire.stream(step.say).join(""));
}
