import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An entry as the registry keeps it. */
export interface Listed {
  server: { name: string; version: string; [more: string]: unknown };
  _meta?: Record<string, unknown>;
}

/** A local MCP Registry that speaks the real one's interface of reading, `/v0.1`, two entries a page. */
export class LocalRegistry {
  readonly url: string;
  /** What was asked for, oldest first. */
  readonly asked: string[] = [];
  entries: Listed[];
  /** What it answers in the place of everything, where it is to lie. */
  answer: ((path: string) => { status: number; body: string } | null) | undefined;
  /** What lies at it besides, by path. */
  readonly files = new Map<string, Buffer>();
  readonly #server: Server;

  private constructor(server: Server, entries: Listed[]) {
    this.#server = server;
    this.entries = entries;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  static async open(entries: Listed[]): Promise<LocalRegistry> {
    let registry: LocalRegistry | undefined;
    const server = createServer((request, response) => {
      const file = registry?.files.get(request.url ?? "");
      if (registry && file) {
        registry.asked.push(request.url ?? "");
        return response.writeHead(200).end(file);
      }
      const { status, body } = registry?.answerTo(request.url ?? "/") ?? { status: 500, body: "" };
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    registry = new LocalRegistry(server, entries);
    return registry;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  answerTo(path: string): { status: number; body: string } {
    this.asked.push(path);
    const lie = this.answer?.(path);
    if (lie) return lie;
    const url = new URL(path, this.url);
    if (url.pathname === "/v0.1/servers") {
      const from = Number(url.searchParams.get("cursor") ?? 0);
      const servers = this.entries.slice(from, from + 2);
      const next = from + 2 < this.entries.length ? { nextCursor: String(from + 2) } : {};
      return { status: 200, body: JSON.stringify({ servers, metadata: { count: servers.length, ...next } }) };
    }
    const [, name, version] = /^\/v0\.1\/servers\/([^/]+)\/versions\/([^/]+)$/.exec(url.pathname) ?? [];
    const found = this.entries.find(
      ({ server }) =>
        server.name === decodeURIComponent(name ?? "") &&
        (version === "latest" || version === server.version),
    );
    return found
      ? { status: 200, body: JSON.stringify(found) }
      : { status: 404, body: JSON.stringify({ error: "Server not found" }) };
  }
}
