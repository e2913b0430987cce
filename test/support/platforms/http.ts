import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fault } from "./faults.ts";

/** A file as it came in a form. */
export interface UploadedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface PlatformRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  /** Aborted when the other side is gone. */
  gone: AbortSignal;
}

export interface PlatformAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Cut the connection instead of sending it, or halfway. */
  cut?: "before" | "halfway";
}

const mostBytes = 60 * 1024 * 1024;

/** An HTTP server on loopback. A waiting fault is used first; otherwise `answer` makes the answer. */
export class PlatformHttp {
  readonly server: Server;
  #port = 0;

  constructor(answer: (request: PlatformRequest) => Promise<PlatformAnswer | "hang">) {
    this.server = createServer((request, response) => void serve(request, response, answer));
    this.server.keepAliveTimeout = 60_000;
  }

  /** @param port 0: any free one */
  async listen(port = this.#port): Promise<void> {
    this.server.listen(port, "127.0.0.1");
    await once(this.server, "listening");
    this.#port = (this.server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** Stops at once, as a server whose power fails; {@link listen} starts it again at the same address. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

/** The answer for a fault, or the name of the fault for one without an answer. */
export function answerOfFault(fault: Exclude<Fault, "cut-after">): PlatformAnswer | "hang" {
  if (fault === "hang") return "hang";
  if (fault === "cut") return { status: 0, cut: "before" };
  return fault;
}

/** The fields of a JSON, urlencoded or multipart body; files are apart. Null: it is none of these. */
export async function readForm(
  request: PlatformRequest,
): Promise<{ fields: Record<string, unknown>; files: Map<string, UploadedFile> } | null> {
  const type = request.headers["content-type"] ?? "";
  const files = new Map<string, UploadedFile>();
  if (request.body.length === 0) return { fields: Object.fromEntries(request.query), files };
  if (type.startsWith("application/json")) {
    const fields: unknown = JSON.parse(request.body.toString());
    return typeof fields === "object" && fields !== null && !Array.isArray(fields)
      ? { fields: fields as Record<string, unknown>, files }
      : null;
  }
  if (type.startsWith("application/x-www-form-urlencoded")) {
    return { fields: Object.fromEntries(new URLSearchParams(request.body.toString())), files };
  }
  if (!type.startsWith("multipart/form-data")) return null;
  const form = await new Response(new Uint8Array(request.body), {
    headers: { "content-type": type },
  }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value;
    else {
      const bytes = Buffer.from(await value.arrayBuffer());
      files.set(name, { name: value.name, type: value.type, bytes });
    }
  }
  return { fields, files };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  decide: (request: PlatformRequest) => Promise<PlatformAnswer | "hang">,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  request.on("error", () => {});
  try {
    const url = new URL(request.url ?? "/", "http://local");
    const answer = await decide({
      method: request.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await readBody(request),
      gone: gone.signal,
    });
    if (answer !== "hang") send(response, answer);
  } catch (error) {
    if (!response.headersSent) response.writeHead(500);
    response.end(error instanceof Error ? error.stack : String(error));
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new Error("A body that no platform takes.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, answer: PlatformAnswer): void {
  if (answer.cut === "before") return void response.socket?.destroy();
  const raw = Buffer.isBuffer(answer.body) || typeof answer.body === "string";
  const body = raw ? (answer.body as Buffer | string) : JSON.stringify(answer.body);
  const type = raw ? "application/octet-stream" : "application/json";
  response.writeHead(answer.status, {
    ...(body !== undefined && { "content-type": type, "content-length": Buffer.byteLength(body) }),
    ...answer.headers,
  });
  if (answer.cut === "halfway" && body !== undefined) {
    response.write(Buffer.from(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2)));
    setImmediate(() => response.socket?.destroy());
    return;
  }
  response.end(body);
}
