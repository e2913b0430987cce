import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Fault, Faults } from "../faults.ts";
import { answerOfFault, type PlatformAnswer, PlatformHttp, type PlatformRequest, readForm } from "../http.ts";
import { methods, SlackRefusal } from "./methods.ts";
import { SocketMode } from "./socket-mode.ts";
import { allScopes, type SlackApp, SlackWorkspace } from "./workspace.ts";

export interface SlackServerCall {
  method: string;
  fields: Record<string, unknown>;
  at: number;
}

const loginPage = "<!DOCTYPE html><html><body>Sign in to Example Team</body></html>";

/** Slack's Web API and Socket Mode on loopback, for one app in one workspace, with faults on request. */
export class SlackServer implements AsyncDisposable {
  readonly workspace = new SlackWorkspace();
  readonly app: SlackApp;
  readonly socketMode: SocketMode;
  readonly calls: SlackServerCall[] = [];
  /** By method name; `upload` and `file` for the transfers. */
  readonly faults = new Faults();
  /** The error with which each token is refused, as after a revocation; null while it is valid. */
  refused: { bot: string | null; app: string | null } = { bot: null, app: null };
  /** Something was asked of the service; what stands in the channels may be different now. */
  readonly changes = new EventEmitter<{ change: [] }>();
  readonly #http: PlatformHttp;

  static async open(given: { botToken: string; appToken: string; name?: string }): Promise<SlackServer> {
    const server = new SlackServer(given);
    await server.#http.listen();
    return server;
  }

  private constructor(given: { botToken: string; appToken: string; name?: string }) {
    const bot = this.workspace.addUser(given.name ?? "helper", { is_bot: true });
    this.app = {
      appId: "A0APP",
      botId: "B0BOT",
      botUserId: bot.id,
      botToken: given.botToken,
      appToken: given.appToken,
      scopes: [...allScopes],
    };
    this.socketMode = new SocketMode(this.app.appId, () => this.changes.emit("change"));
    this.#http = new PlatformHttp((request) => this.#answer(request));
    this.#http.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.socketMode.upgrade(request, socket, head),
    );
  }

  get apiUrl(): string {
    return `${this.#http.origin}/api/`;
  }

  /** Cuts every connection, without goodbye. */
  cut(): void {
    this.socketMode.cut();
    this.#http.server.closeAllConnections();
  }

  /** Closes the server: it cannot be reached until {@link comeBack}. */
  async goAway(): Promise<void> {
    this.socketMode.cut();
    await this.#http.close();
  }

  comeBack(): Promise<void> {
    return this.#http.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socketMode.stop();
    await this.#http.close();
  }

  fail(method: string, fault: Fault, times = 1): void {
    this.faults.add(method, fault, times);
  }

  /** The next calls of a method are answered with this error. */
  refuse(method: string, error: string, times = 1): void {
    this.fail(method, { status: 200, body: { ok: false, error } }, times);
  }

  slowDown(method: string, seconds: number, times = 1): void {
    const headers = { "retry-after": String(seconds) };
    this.fail(method, { status: 429, headers, body: { ok: false, error: "ratelimited" } }, times);
  }

  callsOf(method: string): SlackServerCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  /** Tells the app's sockets of an event. Resolves when one of them has acknowledged it. */
  emit(event: Record<string, unknown>, eventId = this.workspace.nextId("Ev")): Promise<unknown> {
    return this.socketMode.deliver("events_api", {
      type: "event_callback",
      team_id: this.workspace.teamId,
      api_app_id: this.app.appId,
      event_id: eventId,
      event_time: Math.floor(Date.now() / 1000),
      event: structuredClone(event),
    });
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    try {
      return await this.#decide(request);
    } finally {
      this.changes.emit("change");
    }
  }

  async #decide(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    const { path } = request;
    if (path.startsWith("/upload/v1/")) return this.#upload(request);
    if (path.startsWith("/files-pri/")) return this.#file(request);
    if (path.startsWith("/response/")) return { status: 200, body: { ok: true } };
    if (!path.startsWith("/api/")) return { status: 404, body: "Not found" };
    if (request.method !== "POST") return ok({ ok: false, error: "invalid_post_type" });
    const form = await readForm(request);
    if (!form) return ok({ ok: false, error: "invalid_post_type" });
    const method = path.slice("/api/".length);
    this.calls.push({ method, fields: form.fields, at: Date.now() });
    const fault = this.faults.take(method);
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    const answer = this.#run(method, request, form.fields);
    return fault ? { status: 0, cut: "before" } : answer;
  }

  #run(method: string, request: PlatformRequest, fields: Record<string, unknown>): PlatformAnswer {
    const kind = method === "apps.connections.open" ? "app" : "bot";
    const problem = this.#problemOf(kind, request);
    if (problem !== null) return ok({ ok: false, error: problem });
    if (kind === "app") {
      const url = `${this.#http.origin.replace("http", "ws")}/link/?ticket=${this.socketMode.ticket()}&app_id=${this.app.appId}`;
      return ok({ ok: true, url });
    }
    const found = methods[method];
    if (!found) return ok({ ok: false, error: "unknown_method" });
    const { scopes } = this.app;
    if (found.scope !== undefined && !scopes.includes(found.scope)) {
      const scope = { needed: found.scope, provided: scopes.join(",") };
      return ok({ ok: false, error: "missing_scope", ...scope });
    }
    try {
      const result = found.run({
        workspace: this.workspace,
        app: this.app,
        fields,
        origin: this.#http.origin,
        emit: (event) => void this.emit(event),
      });
      return ok({ ok: true, ...result }, { "x-oauth-scopes": scopes.join(",") });
    } catch (error) {
      if (error instanceof SlackRefusal) return ok({ ok: false, error: error.message, ...error.more });
      throw error;
    }
  }

  #problemOf(kind: "bot" | "app", request: PlatformRequest): string | null {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined) return "not_authed";
    if (token !== this.app[`${kind}Token`]) {
      const other = kind === "app" ? this.app.botToken : this.app.appToken;
      return token === other ? "not_allowed_token_type" : "invalid_auth";
    }
    return this.refused[kind];
  }

  async #upload(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    const fault = this.faults.take("upload");
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    const stored = this.workspace.files.get(request.path.split("/").at(-1) ?? "");
    if (!stored) return { status: 404, body: "no such upload" };
    const multipart = (request.headers["content-type"] ?? "").startsWith("multipart/");
    const bytes = multipart ? [...((await readForm(request))?.files.values() ?? [])][0]?.bytes : request.body;
    if (bytes?.length !== stored.file.size) return { status: 400, body: "length differs" };
    stored.bytes = bytes;
    return { status: 200, body: `OK - ${bytes.length}` };
  }

  #file(request: PlatformRequest): PlatformAnswer | "hang" {
    const fault = this.faults.take("file");
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    const id = request.path.split("/")[2]?.split("-")[1] ?? "";
    const stored = this.workspace.files.get(id);
    const allowed =
      this.#problemOf("bot", request) === null && this.app.scopes.includes("files:read") && stored?.bytes;
    // Slack answers a request without permission with a sign-in page and status 200.
    if (!allowed) return { status: 200, body: loginPage, headers: { "content-type": "text/html" } };
    const bytes = stored.bytes as Buffer;
    return {
      status: 200,
      body: bytes,
      headers: { "content-type": stored.file.mimetype ?? "binary/octet-stream" },
    };
  }
}

function ok(body: unknown, headers?: Record<string, string>): PlatformAnswer {
  return { status: 200, body, ...(headers && { headers }) };
}
