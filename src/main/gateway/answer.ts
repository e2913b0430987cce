import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorCatalogue, type Problem } from "../../contract/index.ts";

/** Headers on everything that the gateway sends. */
export const commonHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** The body of a failed REST request. */
export function errorBody(problem: Problem): Problem {
  return {
    code: problem.code,
    message: problem.message,
    ...(problem.help !== undefined && { help: problem.help }),
    ...(problem.details !== undefined && { details: problem.details }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...commonHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (problem.code === "UNAUTHORIZED") response.setHeader("www-authenticate", "Bearer");
  sendJson(response, errorCatalogue[problem.code].status, errorBody(problem));
}

/** Refuses a WebSocket upgrade with a proper HTTP answer. */
export function refuseUpgrade(socket: Duplex, problem: Problem): void {
  const { status } = errorCatalogue[problem.code];
  const text = JSON.stringify(errorBody(problem));
  socket.end(
    `HTTP/1.1 ${status} ${problem.code}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
