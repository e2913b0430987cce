import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { commonHeaders } from "../answer.ts";

/** Of the connection, and not of the message. */
const ofConnection = new Set(["connection", "expect", "keep-alive", "transfer-encoding", "upgrade"]);

/** A request in the form of the web's standards; aborted when whoever sent it has gone. */
export function webRequest(request: IncomingMessage, response: ServerResponse, body?: Buffer): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !ofConnection.has(name)) headers.set(name, String(value));
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? "GET",
    headers,
    signal: gone.signal,
    ...(body && { body: new Uint8Array(body) }),
  });
}

/** Sends an answer of that form. Resolves when it is sent, or nobody reads it any more. */
export async function sendWeb(response: ServerResponse, answer: Response): Promise<void> {
  const headers = { ...commonHeaders, ...Object.fromEntries(answer.headers), "cache-control": "no-store" };
  response.writeHead(answer.status, headers);
  if (!answer.body) {
    response.end();
    return;
  }
  // An event stream begins before its first event.
  response.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => {});
}
