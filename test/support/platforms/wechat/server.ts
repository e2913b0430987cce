import { createCipheriv, randomBytes } from "node:crypto";
import { type Fault, Faults } from "../faults.ts";
import { answerOfFault, type PlatformAnswer, PlatformHttp, type PlatformRequest } from "../http.ts";
import { type BotAccount, messageJson, newAccount, nextId, textItem } from "./accounts.ts";
import { Cdn } from "./cdn.ts";
import { SignInDesk } from "./sign-in-desk.ts";

export interface WeChatCall {
  /** Last words of the path, as in `sendmessage`. */
  name: string;
  body: Record<string, unknown>;
  headers: PlatformRequest["headers"];
}

const HOLD_MS = 35_000;

/** The iLink service and its file server on loopback: its wire format and its checks, with faults on request. */
export class WeChatServer implements AsyncDisposable {
  readonly accounts: BotAccount[] = [];
  readonly desk = new SignInDesk(this.accounts);
  readonly cdn = new Cdn();
  readonly calls: WeChatCall[] = [];
  /** By the last word of a path, as in `getupdates`, `upload`. */
  readonly faults = new Faults();
  readonly #http: PlatformHttp;
  readonly #holding = new Set<() => void>();
  readonly #listeners = new Set<() => void>();
  #last = new Map<string, string>();

  static async open(): Promise<WeChatServer> {
    const server = new WeChatServer();
    await server.#http.listen();
    return server;
  }

  private constructor() {
    this.#http = new PlatformHttp((request) => this.#answer(request));
  }

  get origin(): string {
    return this.#http.origin;
  }

  get port(): number {
    return this.#http.port;
  }

  addBot(botId = "helper@im.bot", ownerId = "owner@im.wechat"): BotAccount {
    const account = newAccount(botId, ownerId);
    this.accounts.push(account);
    return account;
  }

  /** A person writes to the bot. */
  say(account: BotAccount, from: string, text: string): void {
    this.deliver(account, from, [textItem(text)]);
  }

  deliver(
    account: BotAccount,
    from: string,
    items: object[],
    extra: { type?: number; state?: number; group?: string } = {},
  ): void {
    const context = `ctx-${randomBytes(6).toString("hex")}`;
    account.contexts.set(from, [...(account.contexts.get(from) ?? []), context]);
    const message = messageJson({ from, to: account.botId, context, items, id: nextId(), ...extra });
    this.#last.set(from, message);
    this.#push(account, message);
  }

  /** The last message of somebody comes once more, as after a lost acknowledgement. */
  repeat(account: BotAccount, from: string): void {
    this.#push(account, this.#last.get(from) ?? "");
  }

  /** A file as a person sends it. `whole`: with its whole address; `hex`: with the key of pictures. */
  fileItem(name: string, bytes: Buffer, form: "whole" | "param" | "hex" = "param"): object {
    const key = randomBytes(16);
    const cipher = createCipheriv("aes-128-ecb", key, null);
    const reference = this.cdn.put(Buffer.concat([cipher.update(bytes), cipher.final()]));
    const address = `${this.origin}/c2c/download?encrypted_query_param=${reference}`;
    const media = {
      encrypt_query_param: reference,
      aes_key:
        form === "whole" ? key.toString("base64") : Buffer.from(key.toString("hex")).toString("base64"),
      encrypt_type: 1,
      ...(form === "whole" && { full_url: address }),
    };
    if (form === "hex")
      return { type: 2, image_item: { media: { ...media, aes_key: "" }, aeskey: key.toString("hex") } };
    return { type: 4, file_item: { media, file_name: name, len: String(bytes.length) } };
  }

  /** Resolves when the bot waits for messages. */
  async polled(): Promise<void> {
    while (this.#holding.size === 0) await this.changed();
  }

  /** Resolves with the next change of anything. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => {
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  callsOf(name: string): WeChatCall[] {
    return this.calls.filter((call) => call.name === name);
  }

  fail(name: string, fault: Fault, times = 1): void {
    this.faults.add(name, fault, times);
  }

  /** A refusal in the body, with status 200. */
  refuse(name: string, body: object, times = 1): void {
    this.fail(name, { status: 200, body }, times);
  }

  /** Ends all waiting polls at once, so that the client notices a stale token. */
  wake(): void {
    for (const go of [...this.#holding]) go();
  }

  cut(): void {
    this.#http.server.closeAllConnections();
  }

  async goAway(): Promise<void> {
    await this.#http.close();
  }

  comeBack(): Promise<void> {
    return this.#http.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.close();
  }

  #push(account: BotAccount, message: string): void {
    account.inbox.push(message);
    this.wake();
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    const name = request.path.split("/").at(-1) ?? "";
    const isCdn = request.path.startsWith("/c2c/");
    const body =
      isCdn || request.body.length === 0
        ? {}
        : (JSON.parse(request.body.toString()) as Record<string, unknown>);
    this.calls.push({ name, body, headers: request.headers });
    const fault = this.faults.take(name);
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    const answer = await this.#carryOut(request, name, body, isCdn);
    queueMicrotask(() => this.#changed());
    return fault ? { status: 0, cut: "before" } : answer;
  }

  async #carryOut(
    request: PlatformRequest,
    name: string,
    body: Record<string, unknown>,
    isCdn: boolean,
  ): Promise<PlatformAnswer> {
    if (isCdn) return this.cdn.answer(request);
    const { headers, query, gone } = request;
    if (headers["ilink-app-id"] === undefined || !/^\d+$/.test(String(headers["ilink-app-clientversion"]))) {
      return ok({ ret: 3, errmsg: "missing app headers" });
    }
    if (name === "get_qrcode_status") {
      const status = await this.desk.statusOf(
        query.get("qrcode") ?? "",
        query.get("verify_code"),
        gone,
        this.origin,
      );
      return ok(status);
    }
    const uin = Buffer.from(String(headers["x-wechat-uin"] ?? ""), "base64").toString();
    if (headers.authorizationtype !== "ilink_bot_token" || !/^\d{1,10}$/.test(uin)) {
      return ok({ ret: 3, errmsg: "missing headers" });
    }
    if (name === "get_bot_qrcode") {
      const known = Array.isArray(body.local_token_list) ? body.local_token_list.map(String) : [];
      return ok(known.length > 10 ? { ret: 1, errmsg: "too many tokens" } : this.desk.give(known));
    }
    const account = this.accounts.find(({ token }) => headers.authorization === `Bearer ${token}`);
    if (!account || account.stale)
      return ok(name === "getupdates" ? { errcode: -14, errmsg: "session timeout" } : { ret: -14 });
    const info = body.base_info as { channel_version?: string; bot_agent?: string } | undefined;
    if (!info?.channel_version || !/^[\x20-\x7e]{1,256}$/.test(info.bot_agent ?? "")) {
      return ok({ ret: 2, errmsg: "missing base_info" });
    }
    return this.#call(name, account, body, gone);
  }

  async #call(
    name: string,
    account: BotAccount,
    body: Record<string, unknown>,
    gone: AbortSignal,
  ): Promise<PlatformAnswer> {
    switch (name) {
      case "getupdates":
        return this.#updates(account, String(body.get_updates_buf ?? ""), gone);
      case "sendmessage":
        return ok(this.#send(account, body.msg as Record<string, unknown>));
      case "getconfig": {
        const user = String(body.ilink_user_id);
        if (!isContext(account, user, body.context_token)) return ok({ ret: 4, errmsg: "bad context_token" });
        const ticket = randomBytes(6).toString("hex");
        account.tickets.set(user, ticket);
        return ok({ ret: 0, typing_ticket: ticket });
      }
      case "sendtyping": {
        const to = String(body.ilink_user_id);
        if (account.tickets.get(to) !== body.typing_ticket) return ok({ ret: 5, errmsg: "bad ticket" });
        account.typing.push({ to, on: body.status === 1 });
        return ok({ ret: 0 });
      }
      case "notifystart":
      case "notifystop":
        return ok({ ret: 0 });
      case "getuploadurl":
        return ok(this.cdn.expect(body, this.origin));
      default:
        return { status: 404 };
    }
  }

  /** The cursor is a place in what was ever written; from an old one everything after it comes again. */
  async #updates(account: BotAccount, cursor: string, gone: AbortSignal): Promise<PlatformAnswer> {
    const from = cursor === "" ? 0 : Number(Buffer.from(cursor, "base64").toString().replace("at:", ""));
    if (account.inbox.length <= from) await this.#hold(gone);
    if (account.stale) return ok({ errcode: -14, errmsg: "session timeout" });
    const messages = account.inbox.slice(from);
    const next = Buffer.from(`at:${account.inbox.length}`).toString("base64");
    return {
      status: 200,
      body: `{"ret":0,"msgs":[${messages.join(",")}],"get_updates_buf":"${next}","longpolling_timeout_ms":${HOLD_MS}}`,
    };
  }

  async #hold(gone: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, HOLD_MS);
    gone.addEventListener("abort", () => resolve(), { once: true });
    this.#holding.add(resolve);
    queueMicrotask(() => this.#changed());
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#holding.delete(resolve);
    }
  }

  #send(account: BotAccount, msg: Record<string, unknown>): object {
    const to = String(msg.to_user_id);
    const items = Array.isArray(msg.item_list) ? (msg.item_list as Record<string, unknown>[]) : [];
    if (items.length !== 1) return { ret: 6, errmsg: "exactly one item" };
    if (msg.from_user_id !== "" || msg.message_type !== 2 || msg.message_state !== 2 || !msg.client_id) {
      return { ret: 6, errmsg: "bad message" };
    }
    if (!isContext(account, to, msg.context_token)) return { ret: 7, errmsg: "bad context_token" };
    const id = String(nextId());
    account.shown.push({ to, id, ...this.#shown(items[0] ?? {}) });
    return { ret: 0, message_id: id };
  }

  #shown(item: Record<string, unknown>): {
    text?: string;
    file?: { name: string; bytes: Buffer; kind: "image" | "video" | "file" };
  } {
    if (item.type === 1) return { text: (item.text_item as { text: string }).text };
    for (const kind of ["image", "video", "file"] as const) {
      const part = item[`${kind}_item`] as
        | { media: { encrypt_query_param: string; aes_key: string }; file_name?: string }
        | undefined;
      if (!part) continue;
      const bytes = this.cdn.open(part.media.encrypt_query_param, part.media.aes_key);
      return { file: { name: part.file_name ?? kind, bytes, kind } };
    }
    return {};
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function isContext(account: BotAccount, person: string, token: unknown): boolean {
  return account.contexts.get(person)?.some((one) => one === token) === true;
}

const ok = (body: object): PlatformAnswer => ({ status: 200, body });
