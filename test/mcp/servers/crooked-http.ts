import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

/** What a server at an address does with a call of its tool. */
export type CallAnswer = (response: ServerResponse, id: unknown, request: IncomingMessage) => unknown;

const words = (said: string) => ({ content: [{ type: "text", text: said }] });
const message = (id: unknown, result: object) => JSON.stringify({ jsonrpc: "2.0", id, result });
const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };

/**
 * A server of the older era without a library. It answers all but calls of its tool as it should.
 *
 * @param other answers requests that are no POST; absent: 405
 * @param told gets the name of each notice
 */
export function crookedHttp(called: CallAnswer, other?: CallAnswer, told?: (method: string) => void) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (request.method !== "POST")
      return other ? other(response, null, request) : response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(request));
    if (method === "initialize") {
      const { protocolVersion } = params;
      const result = {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "crooked", version: "0" },
      };
      return response.writeHead(200, json).end(message(id, result));
    }
    if (id === undefined) {
      told?.(method);
      return response.writeHead(202).end();
    }
    if (method === "tools/list")
      return response
        .writeHead(200, json)
        .end(message(id, { tools: [{ name: "good", inputSchema: { type: "object" } }] }));
    if (method === "tools/call") return called(response, id, request);
    const error = { code: -32_601, message: "unknown" };
    return response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, error }));
  };
}

/** What servers do to a call that is their own fault, by name. */
export const wrongAnswers = {
  "error 500": (response) => response.writeHead(500).end("<h1>Oh no</h1>"),
  "error 401": (response) => response.writeHead(401).end(),
  "error 403": (response) => response.writeHead(403).end(),
  "a web page": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
  "no content type": (response, id) => response.writeHead(200).end(message(id, words("good"))),
  "no JSON": (response) => response.writeHead(200, json).end('{"jsonrpc":'),
  "JSON that is no message": (response) => response.writeHead(200, json).end('{"hello": 1}'),
  "the end in the middle": (response, id) => {
    response.writeHead(200, { ...json, "content-length": "500" });
    response.write(message(id, words("good")).slice(0, 20), () => response.destroy());
  },
  "events that end too soon": (response) => response.writeHead(200, events).end("data: \n\n"),
  "a redirect": (response) => response.writeHead(307, { location: "http://127.0.0.1:1/mcp" }).end(),
  "a drip without end": (response, id) => {
    response.writeHead(200, json);
    response.write(message(id, words("good")).slice(0, 20));
    const timer = setInterval(() => response.write(" "), 100);
    response.once("close", () => clearInterval(timer));
  },
  "events without end": (response) => {
    response.writeHead(200, events);
    const timer = setInterval(() => response.write(": still here\n\n"), 100);
    response.once("close", () => clearInterval(timer));
  },
  "text without end": (response) => {
    response.writeHead(200, json);
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once("drain", more);
    };
    response.write('"', more);
  },
} satisfies Record<string, CallAnswer>;

/** Ways of answering a call that are unusual and right. */
export const rightAnswers = {
  "one event": (response, id) =>
    response.writeHead(200, events).end(`event: message\ndata: ${message(id, words("good"))}\n\n`),
  "an event in pieces": (response, id) => {
    const whole = `id: 1\r\ndata: ${message(id, words("good"))}\r\n\r\n`;
    response.writeHead(200, events);
    response.write(whole.slice(0, 30), () => response.end(whole.slice(30)));
  },
  "other messages first": (response, id) =>
    response
      .writeHead(200, events)
      .end(
        `: comment\n\ndata: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } })}\n\n` +
          `data: ${message(77, words("for nobody"))}\n\ndata: no message\n\ndata: ${message(id, words("good"))}\n\n`,
      ),
  "a list of one": (response, id) => response.writeHead(200, json).end(`[${message(id, words("good"))}]`),
} satisfies Record<string, CallAnswer>;

/** Ends the events of a call before its answer, which is given to whoever comes back with the last event's id. */
export function brokenOff(): {
  called: CallAnswer;
  other: CallAnswer;
  came: { lastEvent: unknown; after: number }[];
} {
  let asked: unknown;
  let at = 0;
  const came: { lastEvent: unknown; after: number }[] = [];
  return {
    came,
    called: (response, id) => {
      asked = id;
      at = performance.now();
      response.writeHead(200, events).end("id: 41\nretry: 300\ndata: \n\n");
    },
    other: (response, _id, request) => {
      const lastEvent = request.headers["last-event-id"];
      if (request.method !== "GET" || lastEvent === undefined) return response.writeHead(405).end();
      came.push({ lastEvent, after: performance.now() - at });
      return response.writeHead(200, events).end(`id: 42\ndata: ${message(asked, words("good"))}\n\n`);
    },
  };
}
