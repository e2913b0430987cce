import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Provider } from "oidc-provider";
import { z } from "zod";

type Handler = (request: IncomingMessage, response: ServerResponse, body?: unknown) => unknown;

export interface SignedInOptions {
  /** Whether the provider registers apps by itself (DCR). */
  registers?: boolean;
  /** Clients that the provider knows. */
  clients?: object[];
  /** Takes addresses of documents as client ids (CIMD). */
  takesDocuments?: boolean;
  /** What is answered at a path instead of what would be. */
  instead?: Record<string, Handler>;
  /** Where the refusal says that the description lies; default: at the server. */
  pointsTo?: (origin: string) => string | null;
}

/** Rights of the server, as its provider knows them. */
const rights = "tickets:read tickets:write";

/** A real MCP server behind a real OAuth provider, at one origin: tools for who has signed in, one of them with a right of its own. */
export class SignedInServer {
  readonly origin: string;
  readonly oidc: Provider;
  /** All tokens that were given out. */
  readonly tokens: string[] = [];
  /** For what each of them was given, and to whom. */
  readonly granted: { grant: string; client: string; resource: string; scope: string }[] = [];
  /** Requests to the provider and to the server. */
  readonly asked: { at: string; query: URLSearchParams }[] = [];
  /** What is answered at a path instead of what would be; may change. */
  readonly instead: Record<string, Handler>;
  readonly #server: Server;
  readonly #options: SignedInOptions;
  readonly #mcp: Handler;

  static async open(options: SignedInOptions = {}): Promise<SignedInServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new SignedInServer(server, options);
  }

  private constructor(server: Server, options: SignedInOptions) {
    this.#server = server;
    this.#options = options;
    this.instead = { ...options.instead };
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.oidc = this.#provider();
    this.#mcp = toNodeHandler(createMcpHandler(() => tickets(), { legacy: "stateless" }));
    const provide = this.oidc.callback();
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", this.origin);
      this.asked.push({ at: `${request.method} ${pathname}`, query: searchParams });
      const instead = this.instead[pathname];
      if (instead) return void instead(request, response);
      if (pathname.startsWith("/.well-known/oauth-protected-resource")) return this.#describe(response);
      if (pathname === "/mcp") return void this.#serve(request, response);
      provide(request, response);
    });
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Takes all access tokens back, and with `whole` the grants behind them too. */
  async revoke(whole: boolean): Promise<void> {
    for (const token of this.#issued.splice(0)) {
      await this.#find(token).then((found) => found?.destroy());
      if (whole) await this.oidc.AccessToken.revokeByGrantId(this.#grants.get(token) ?? "");
      if (whole) await this.oidc.RefreshToken.revokeByGrantId(this.#grants.get(token) ?? "");
    }
  }

  /** Loses all clients that it registered, as one does that keeps them in memory. */
  async forgetClients(): Promise<void> {
    const ids = new Set(this.granted.map(({ client }) => client));
    for (const id of ids) await this.oidc.Client.adapter.destroy(id);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  readonly #issued: string[] = [];
  readonly #grants = new Map<string, string>();

  #provider(): Provider {
    const { registers = true, clients = [], takesDocuments = false } = this.#options;
    const oidc = new Provider(this.origin, {
      clients,
      scopes: ["offline_access"],
      features: {
        devInteractions: { enabled: true },
        registration: { enabled: registers },
        revocation: { enabled: true },
        clientCredentials: { enabled: true },
        ...(takesDocuments && { clientIdMetadataDocument: { enabled: true, ack: "draft-02" } }),
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: async () => ({
            scope: rights,
            audience: this.url,
            accessTokenFormat: "opaque",
            accessTokenTTL: 3_600,
          }),
          useGrantedResource: async () => true,
        },
      },
      clientDefaults: { grant_types: ["authorization_code", "refresh_token"] },
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      ttl: { Grant: 86_400, Session: 86_400, Interaction: 600, RefreshToken: 86_400 },
      cookies: { keys: ["test"] },
      // Without the package's own dispatcher, which reaches nothing on this computer.
      fetch: (url: string, { method, headers, redirect, signal }: RequestInit) =>
        fetch(url, {
          ...(method && { method }),
          ...(headers && { headers }),
          ...(redirect && { redirect }),
          ...(signal && { signal }),
        }),
      findAccount: async (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id }),
      }),
    });
    oidc.on("grant.success", (context) => {
      const { body, oidc } = context as TokenAnswer;
      const { grant_type: grant = "", resource = "" } = oidc.params;
      this.granted.push({ grant, client: oidc.client.clientId, resource, scope: body.scope ?? "" });
      this.tokens.push(body.access_token, ...(body.refresh_token ? [body.refresh_token] : []));
    });
    return oidc;
  }

  /** A token of a person, or of a client that signed in for itself. */
  async #find(token: string) {
    return (await this.oidc.AccessToken.find(token)) ?? this.oidc.ClientCredentials.find(token);
  }

  #describe(response: ServerResponse): void {
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        resource: this.url,
        authorization_servers: [this.origin],
        scopes_supported: rights.split(" "),
      }),
    );
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const found = await this.#find(token);
    const { pointsTo = (origin: string) => `${origin}/.well-known/oauth-protected-resource/mcp` } =
      this.#options;
    const place = pointsTo(this.origin);
    const points = place === null ? "" : `, resource_metadata="${place}"`;
    if (!found || found.aud !== this.url)
      return void response
        .writeHead(401, { "www-authenticate": `Bearer scope="tickets:read"${points}` })
        .end();
    if (!this.#issued.includes(token)) this.#issued.push(token);
    this.#grants.set(token, found.grantId ?? "");
    const body = await textOf(request);
    const asksMore = body.includes('"close_ticket"') && !found.scope?.includes("tickets:write");
    if (asksMore)
      return void response
        .writeHead(403, {
          "www-authenticate": `Bearer error="insufficient_scope", scope="tickets:write"${points}`,
        })
        .end();
    await this.#mcp(request, response, body === "" ? undefined : JSON.parse(body));
  }
}

/** What the provider tells of a token that it gives. */
interface TokenAnswer {
  body: { access_token: string; refresh_token?: string; scope?: string };
  oidc: { client: { clientId: string }; params: Record<string, string | undefined> };
}

function tickets(): McpServer {
  const server = new McpServer({ name: "tickets", version: "1" }, { capabilities: { tools: {} } });
  server.registerTool(
    "list_tickets",
    { title: "List tickets", description: "All tickets.", inputSchema: z.object({}) },
    async () => ({ content: [{ type: "text", text: "two tickets" }] }),
  );
  server.registerTool(
    "close_ticket",
    { title: "Close ticket", description: "Closes a ticket.", inputSchema: z.object({}) },
    async () => ({ content: [{ type: "text", text: "closed" }] }),
  );
  return server;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}
