import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Fault, Faults } from "../faults.ts";
import { answerOfFault, type PlatformAnswer, PlatformHttp, type PlatformRequest, readForm } from "../http.ts";
import { DiscordGateway } from "./gateway.ts";
import { DiscordGuilds, type DiscordUser } from "./guilds.ts";
import { Interactions } from "./interactions.ts";
import { DiscordRefusal, routes } from "./routes.ts";

export interface DiscordServerCall {
  /** As in `POST /channels/:id/messages`. */
  route: string;
  body: Record<string, unknown>;
  at: number;
}

const messageContentBit = 1 << 15;
const grantsMessageContent = 1 << 19;

/** Discord's REST API, gateway and CDN on loopback, for one bot in one guild, with faults on request. */
export class DiscordServer implements AsyncDisposable {
  readonly guilds = new DiscordGuilds();
  readonly bot: DiscordUser;
  readonly interactions = new Interactions();
  readonly gateway: DiscordGateway;
  readonly calls: DiscordServerCall[] = [];
  /** By route, as in `POST /channels/:id/messages`, with ` with file` behind it for uploads; `file` for the CDN. */
  readonly faults = new Faults();
  token: string;
  /** The switch "Message content intent" of the developer portal. */
  messageContent = true;
  /** What the bot's roles allow on the guild, as a number; null: it was not invited. */
  botPermissions: string | null = "309237763136";
  /** Milliseconds for which a nonce is remembered. */
  nonceMs = 5 * 60_000;
  /** Something was asked of the service; what stands in the channels may be different now. */
  readonly changes = new EventEmitter<{ change: [] }>();
  readonly #http: PlatformHttp;

  static async open(given: { token: string; name?: string }): Promise<DiscordServer> {
    const server = new DiscordServer(given);
    await server.#http.listen();
    return server;
  }

  private constructor({ token, name }: { token: string; name?: string }) {
    this.token = token;
    this.bot = this.guilds.addUser(name ?? "helper", true);
    this.gateway = new DiscordGateway({
      token: () => this.token,
      disallowed: () => (this.messageContent ? 0 : messageContentBit),
      ready: () => ({
        user: this.bot,
        guilds: [{ id: this.guilds.guildId, unavailable: true }],
        application: { id: this.bot.id, flags: this.#flags },
      }),
      guild: () => this.guilds.describeGuild(this.bot),
      url: () => this.#gatewayUrl,
      changed: () => this.changes.emit("change"),
    });
    this.#http = new PlatformHttp((request) => this.#answer(request));
    this.#http.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.gateway.upgrade(request, socket, head),
    );
  }

  /** For the option `rest.api`. */
  get apiUrl(): string {
    return `${this.#http.origin}/api`;
  }

  get origin(): string {
    return this.#http.origin;
  }

  /** Cuts every connection, without goodbye. */
  cut(): void {
    this.gateway.cut();
    this.#http.server.closeAllConnections();
  }

  /** Closes the server: it cannot be reached until {@link comeBack}. */
  async goAway(): Promise<void> {
    this.gateway.cut();
    await this.#http.close();
  }

  comeBack(): Promise<void> {
    return this.#http.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.gateway.stop();
    await this.#http.close();
  }

  fail(route: string, fault: Fault, times = 1): void {
    this.faults.add(route, fault, times);
  }

  refuse(route: string, status: number, code: number, message: string, times = 1): void {
    this.fail(route, { status, body: { message, code } }, times);
  }

  slowDown(route: string, seconds: number, scope: "user" | "shared" | "global" = "user", times = 1): void {
    const headers = {
      "retry-after": String(Math.ceil(seconds)),
      "x-ratelimit-scope": scope,
      ...(scope === "global" && { "x-ratelimit-global": "true" }),
    };
    const body = { message: "You are being rate limited.", retry_after: seconds, global: scope === "global" };
    this.fail(route, { status: 429, headers, body }, times);
  }

  /** Makes the addresses of all files invalid. A request for their messages returns new ones. */
  expireFiles(): void {
    for (const file of this.guilds.files.values()) file.signature += 1;
  }

  callsOf(route: string): DiscordServerCall[] {
    return this.calls.filter((call) => call.route === route);
  }

  get #gatewayUrl(): string {
    return `${this.#http.origin.replace("http", "ws")}/`;
  }

  get #flags(): number {
    return this.messageContent ? grantsMessageContent : 0;
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    try {
      return await this.#decide(request);
    } finally {
      this.changes.emit("change");
    }
  }

  async #decide(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    if (request.path.startsWith("/attachments/")) return this.#file(request);
    if (!request.path.startsWith("/api/v10/")) return refusal(404, 0, "404: Not Found");
    const path = request.path.slice("/api/v10".length);
    const name = `${request.method} ${path.replace(/\d{5,}/g, ":id").replace(/itoken-[\w-]+/g, ":token")}`;
    const form = await readForm(request);
    const fields = form?.fields ?? {};
    const body =
      typeof fields.payload_json === "string"
        ? (JSON.parse(fields.payload_json) as Record<string, unknown>)
        : Array.isArray(parsed(request))
          ? (parsed(request) as Record<string, unknown>)
          : fields;
    this.calls.push({ route: name, body, at: Date.now() });
    const fault = this.faults.take(form?.files.size ? `${name} with file` : name);
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    // Answers to interactions carry their token in the path.
    const open = path.startsWith("/interactions/") || path.startsWith("/webhooks/");
    if (!open && request.headers.authorization !== `Bot ${this.token}`) {
      return refusal(401, 0, "401: Unauthorized");
    }
    const answer = this.#run(request, path, body, form?.files ?? new Map());
    return fault ? { status: 0, cut: "before" } : answer;
  }

  #run(
    request: PlatformRequest,
    path: string,
    body: Record<string, unknown>,
    files: Parameters<(typeof routes)[number]["run"]>[0]["files"],
  ): PlatformAnswer {
    for (const { method, path: pattern, run } of routes) {
      const match = method === request.method ? pattern.exec(path) : null;
      if (!match) continue;
      try {
        const answer = run(
          {
            guilds: this.guilds,
            bot: this.bot,
            applicationId: this.bot.id,
            applicationFlags: this.#flags,
            interactions: this.interactions,
            gatewayUrl: this.#gatewayUrl,
            nonceMs: this.nonceMs,
            botPermissions: this.botPermissions,
            origin: this.#http.origin,
            query: request.query,
            body,
            files,
            dispatch: (event, data) => this.gateway.dispatch(event, data),
          },
          ...match.slice(1),
        );
        return { ...answer, headers: { ...rateHeaders, ...answer.headers } };
      } catch (error) {
        if (error instanceof DiscordRefusal)
          return refusal(error.status, error.code, error.message, error.errors);
        throw error;
      }
    }
    return refusal(404, 0, "404: Not Found");
  }

  #file({ path, query }: PlatformRequest): PlatformAnswer | "hang" {
    const fault = this.faults.take("file");
    const file = this.guilds.files.get(path.split("/")[3] ?? "");
    if (fault === "cut-after") return { status: 200, body: file?.bytes, cut: "halfway" };
    if (fault) return answerOfFault(fault);
    if (!file || query.get("hm") !== String(file.signature))
      return { status: 403, body: "This content is no longer available." };
    return { status: 200, body: file.bytes, headers: { "content-type": file.type } };
  }
}

const rateHeaders = {
  "x-ratelimit-limit": "500",
  "x-ratelimit-remaining": "499",
  "x-ratelimit-reset-after": "1",
  "x-ratelimit-bucket": "loopback",
};

function parsed(request: PlatformRequest): unknown {
  const json = (request.headers["content-type"] ?? "").startsWith("application/json");
  return json && request.body.length > 0 ? JSON.parse(request.body.toString()) : null;
}

function refusal(status: number, code: number, message: string, errors?: unknown): PlatformAnswer {
  return { status, body: { message, code, ...(errors !== undefined && { errors }) } };
}
