import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A server on loopback, closed with what is open on it. */
export class HttpServer {
  readonly url: string;
  readonly seen: IncomingMessage[] = [];
  readonly #server: Server;

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  }

  static async open(handler: Handler, path = "/mcp", port = 0): Promise<HttpServer> {
    let opened: HttpServer | undefined;
    const server = createServer((request, response) => {
      opened?.seen.push(request);
      void handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    opened = new HttpServer(server, path);
    return opened;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const era = { description: "Says what it speaks." };

/** Speaks the revision 2026-07-28, and the older ways where `legacy` says so. */
export function modernHandler(legacy: "stateless" | "reject"): Handler {
  return modernServing((context) => {
    const server = new McpServer({ name: "modern", version: "2" }, { capabilities: { tools: {} } });
    server.registerTool("era", { ...era, inputSchema: z.object({}) }, async () => ({
      content: [{ type: "text", text: context.era }],
    }));
    return server;
  }, legacy);
}

/** Any server of the newer revision, over Streamable HTTP. */
export function modernServing(
  make: Parameters<typeof createMcpHandler>[0],
  legacy: "stateless" | "reject" = "reject",
): Handler {
  return toNodeHandler(createMcpHandler(make, { legacy }));
}

/** What a server of 2025 says of itself at the next session. */
export interface OldSaid {
  /** Of its only tool. */
  description?: string;
  icons?: { src: string; mimeType?: string }[];
}

function oldServer({ icons, description = era.description }: OldSaid = {}): OldServer {
  const server = new OldServer({ name: "old", version: "1", ...(icons && { icons }) });
  server.registerTool("era", { description }, async () => ({ content: [{ type: "text", text: "legacy" }] }));
  return server;
}

/** Streamable HTTP with sessions, as servers of 2025 have it. */
export function sessionHandler(said: OldSaid = {}) {
  return legacySessions(() => oldServer(said));
}

/** Any server of 2025, with a session for each client. */
export function legacySessions(make: () => OldServer) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  /** @param body where it was read already */
  return async (request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known) return known.handleRequest(request, response, body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    });
    await make().connect(transport);
    return transport.handleRequest(request, response, body);
  };
}

/** The transport of 2024: one stream, and a second address for messages. */
export function sseHandler(): Handler {
  const open = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      open.set(transport.sessionId, transport);
      return oldServer().connect(transport);
    }
    const transport = open.get(url.searchParams.get("sessionId") ?? "");
    if (url.pathname === "/messages" && transport) return transport.handlePostMessage(request, response);
    return response.writeHead(405).end();
  };
}
