import { EventEmitter } from "node:events";
import { type Fault, Faults } from "../faults.ts";
import { answerOfFault, type PlatformAnswer, PlatformHttp, type PlatformRequest, readForm } from "../http.ts";
import { BotAccount } from "./bot-account.ts";
import { methods, TelegramError } from "./methods.ts";
import { WebhookDelivery } from "./webhook-delivery.ts";
import { TelegramWorld } from "./world.ts";

export interface TelegramCall {
  method: string;
  fields: Record<string, unknown>;
  at: number;
}

const terminated =
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
const webhookActive =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

/**
 * A Bot API server on loopback: the wire format of the hosted service, long polling and webhooks, with faults on
 * request. Webhooks may be plain http here, which the hosted service refuses.
 */
export class TelegramServer implements AsyncDisposable {
  readonly world = new TelegramWorld();
  readonly bots: BotAccount[] = [];
  /** Every call that a bot with a good token made. */
  readonly calls: TelegramCall[] = [];
  /** By method name; `file` for downloads. */
  readonly faults = new Faults();
  /** Something was asked of the service; what stands in the chats may be different now. */
  readonly changes = new EventEmitter<{ change: [] }>();
  readonly #http: PlatformHttp;
  readonly #deliveries = new Map<BotAccount, WebhookDelivery>();

  static async open(): Promise<TelegramServer> {
    const server = new TelegramServer();
    await server.#http.listen();
    return server;
  }

  private constructor() {
    this.#http = new PlatformHttp((request) => this.#answer(request));
  }

  get apiRoot(): string {
    return this.#http.origin;
  }

  /** Cuts every connection, without goodbye. */
  cut(): void {
    this.#http.server.closeAllConnections();
  }

  /** Nobody is reached any more, until {@link comeBack}. */
  goAway(): Promise<void> {
    return this.#http.close();
  }

  comeBack(): Promise<void> {
    return this.#http.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const delivery of this.#deliveries.values()) delivery.stop();
    await this.#http.close();
  }

  /** What BotFather does. */
  addBot(given: {
    token: string;
    id?: number;
    username?: string;
    name?: string;
    hearsEverything?: boolean;
  }): BotAccount {
    const id = given.id ?? Number(given.token.split(":")[0]);
    const user = {
      id,
      is_bot: true,
      first_name: given.name ?? "Helper",
      username: given.username ?? "helper_bot",
    };
    const bot = new BotAccount(user, given.token, given.hearsEverything === true);
    const delivery = new WebhookDelivery(bot);
    bot.onUpdate(() => delivery.wake());
    this.bots.push(bot);
    this.#deliveries.set(bot, delivery);
    return bot;
  }

  fail(method: string, fault: Fault, times = 1): void {
    this.faults.add(method, fault, times);
  }

  /** The next call of a method is answered with too many requests. */
  slowDown(method: string, seconds: number, times = 1): void {
    const description = `Too Many Requests: retry after ${seconds}`;
    const body = { ok: false, error_code: 429, description, parameters: { retry_after: seconds } };
    this.fail(method, { status: 429, body }, times);
  }

  callsOf(method: string): TelegramCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    try {
      return await this.#decide(request);
    } finally {
      this.changes.emit("change");
    }
  }

  async #decide(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.path);
    if (file) return this.#file(file[1] as string, decodeURIComponent(file[2] as string));
    const called = /^\/bot([^/]+)\/([A-Za-z]+)$/.exec(request.path);
    if (!called) return refusal(404, "Not Found");
    const bot = this.#botOf(called[1] as string);
    if (typeof bot === "string") return refusal(401, bot);
    const method = called[2] as string;
    const form = await readForm(request);
    if (!form) return refusal(400, "Bad Request: there is no such content type");
    this.calls.push({ method, fields: form.fields, at: Date.now() });
    const fault = this.faults.take(method);
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    try {
      const result = await this.#run(method, { bot, world: this.world, ...form }, request.gone);
      return fault ? { status: 0, cut: "before" } : { status: 200, body: { ok: true, result } };
    } catch (error) {
      if (error instanceof TelegramError) return refusal(error.code, error.message, error.parameters);
      throw error;
    }
  }

  async #run(
    method: string,
    call: Parameters<NonNullable<(typeof methods)[string]>>[0],
    gone: AbortSignal,
  ): Promise<unknown> {
    const { bot, fields } = call;
    switch (method) {
      case "getUpdates":
        return this.#updates(bot, fields, gone);
      case "setWebhook":
        bot.webhook = fields.url ? { url: String(fields.url), ...secretOf(fields.secret_token) } : null;
        bot.setAllowed(arrayOf(fields.allowed_updates));
        this.#deliveries.get(bot)?.wake();
        return true;
      case "deleteWebhook":
        bot.webhook = null;
        if (fields.drop_pending_updates === true) bot.queue = [];
        return true;
      case "getWebhookInfo":
        return {
          url: bot.webhook?.url ?? "",
          has_custom_certificate: false,
          pending_update_count: bot.queue.length,
          ...(bot.webhook?.lastError !== undefined && { last_error_message: bot.webhook.lastError }),
        };
    }
    const run = methods[method];
    if (!run) throw new TelegramError(404, "Not Found: method not found");
    return run(call);
  }

  async #updates(bot: BotAccount, fields: Record<string, unknown>, gone: AbortSignal): Promise<unknown> {
    if (bot.webhook) throw new TelegramError(409, webhookActive);
    const offset = Number(fields.offset ?? 0);
    const limit = Number(fields.limit ?? 100);
    const timeoutMs = Math.min(Number(fields.timeout ?? 0), 50) * 1000;
    if (!(limit >= 1 && limit <= 100)) throw new TelegramError(400, "Bad Request: limit must be 1 to 100");
    bot.setAllowed(arrayOf(fields.allowed_updates));
    bot.poll?.answer("conflict");
    if (offset !== 0) bot.confirm(offset);
    if (bot.queue.length === 0 && timeoutMs > 0) await this.#hold(bot, timeoutMs, gone);
    return bot.queue.slice(0, limit);
  }

  async #hold(bot: BotAccount, timeoutMs: number, gone: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const poll: NonNullable<BotAccount["poll"]> = {
      answer: (reply) => {
        if (reply === "conflict") reject(new TelegramError(409, terminated));
        else if (reply === "unauthorized") reject(new TelegramError(401, "Unauthorized"));
        else resolve();
      },
    };
    bot.poll = poll;
    this.changes.emit("change");
    const timer = setTimeout(resolve, timeoutMs);
    const left = () => resolve();
    gone.addEventListener("abort", left);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", left);
      if (bot.poll === poll) bot.poll = null;
    }
  }

  #file(token: string, path: string): PlatformAnswer | "hang" {
    const bot = this.#botOf(token);
    if (typeof bot === "string") return refusal(401, bot);
    const fault = this.faults.take("file");
    const file = [...this.world.files.values()].find((one) => one.file_path === path);
    if (fault === "cut-after") return { status: 200, body: file?.bytes, cut: "halfway" };
    if (fault) return answerOfFault(fault);
    if (!file || file.goodUntil === undefined || file.goodUntil < this.world.now())
      return refusal(404, "Not Found");
    return { status: 200, body: file.bytes };
  }

  /** The bot of a token, or why there is none. */
  #botOf(token: string): BotAccount | string {
    if (!/^\d+:[\w-]{30,}$/.test(token)) return "Unauthorized: invalid token specified";
    return this.bots.find((bot) => bot.token === token) ?? "Unauthorized";
  }
}

function refusal(code: number, description: string, parameters?: Record<string, number>): PlatformAnswer {
  return {
    status: code,
    body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
  };
}

function secretOf(token: unknown): { secret?: string } {
  if (token === undefined) return {};
  if (!/^[\w-]{1,256}$/.test(String(token))) {
    throw new TelegramError(400, "Bad Request: secret token contains unallowed characters");
  }
  return { secret: String(token) };
}

function arrayOf(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}
