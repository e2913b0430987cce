import { randomUUID } from "node:crypto";
import { type Fault, Faults } from "../faults.ts";
import { answerOfFault, type PlatformAnswer, PlatformHttp, type PlatformRequest } from "../http.ts";
import {
  type Delivered,
  readAttachment,
  readRecipient,
  type SignalGroup,
  type SignalPerson,
  timestamp,
} from "./accounts.ts";
import { Receiving } from "./receiving.ts";
import { parseStyled } from "./styled.ts";

export interface SignalCall {
  /** As in `POST /v2/send`. */
  name: string;
  body: Record<string, unknown>;
}

interface Said {
  text?: string;
  group?: SignalGroup;
  mentions?: { number?: string | null; uuid: string; start: number; length: number }[];
  quote?: { id: number; authorUuid: string; text?: string };
  attachments?: { id: string; contentType: string; filename: string; size: number }[];
  more?: Record<string, unknown>;
}

/** A signal-cli-rest-api on loopback, in json-rpc mode: its routes and its checks, with faults on request. */
export class SignalServer implements AsyncDisposable {
  mode = "json-rpc";
  /** Accounts that the server is linked with. */
  accounts: string[] = [];
  /** The person behind each account, with the id by which others know it. */
  readonly own = new Map<string, SignalPerson>();
  readonly delivered: Delivered[] = [];
  readonly calls: SignalCall[] = [];
  readonly files = new Map<string, Buffer>();
  /** The codes that were given out and not yet scanned. */
  readonly links: string[] = [];
  readonly typing: { recipient: string; on: boolean }[] = [];
  /** Messages that the account said it has read. */
  /** What the bot's account shows at messages, by their timestamp. */
  readonly reactions = new Map<number, { recipient: string; emoji: string; author: string }>();
  readonly receipts: { recipient: string; timestamp: number }[] = [];
  /** People whose key changed: nothing is sent to them until somebody trusts it. */
  readonly untrusted = new Set<string>();
  /** By method and route, as in `POST /v2/send`. */
  readonly faults = new Faults();
  readonly receiving: Receiving;
  readonly #http: PlatformHttp;
  readonly #listeners = new Set<() => void>();
  #last = new Map<string, string>();

  static async open(): Promise<SignalServer> {
    const server = new SignalServer();
    await server.#http.listen();
    return server;
  }

  private constructor() {
    this.#http = new PlatformHttp((request) => this.#answer(request));
    this.receiving = new Receiving(this.#http.server, () => this.#changed());
  }

  get origin(): string {
    return this.#http.origin;
  }

  addAccount(owner: SignalPerson): void {
    if (owner.number === null) throw new Error("An account has a number.");
    this.own.set(owner.number, owner);
    this.accounts.push(owner.number);
  }

  /** The phone scans the newest code. */
  scan(owner: SignalPerson): void {
    if (this.links.pop() === undefined) throw new Error("There is no code to scan.");
    this.addAccount(owner);
  }

  /** The phone ends the link: sends fail from now on, and the socket stays open and silent. */
  unlink(number: string): void {
    this.accounts = this.accounts.filter((account) => account !== number);
  }

  /** Somebody writes to an account. Returns the message's timestamp. */
  say(account: string, from: SignalPerson, said: Said): number {
    const time = timestamp();
    const { text, group, mentions, quote, attachments, more } = said;
    return this.frame(account, from, time, {
      dataMessage: {
        timestamp: time,
        message: text ?? null,
        expiresInSeconds: 0,
        viewOnce: false,
        ...(group && {
          groupInfo: { groupId: group.internalId, groupName: group.name, revision: 1, type: "DELIVER" },
        }),
        ...(mentions && { mentions }),
        ...(quote && { quote }),
        ...(attachments && { attachments }),
        ...more,
      },
    });
  }

  /** Any envelope of somebody. */
  frame(account: string, from: SignalPerson, time: number, content: object): number {
    const frame = JSON.stringify({
      account,
      envelope: {
        source: from.number ?? from.uuid,
        sourceNumber: from.number,
        sourceUuid: from.uuid,
        sourceName: from.name,
        sourceDevice: 1,
        timestamp: time,
        serverReceivedTimestamp: time,
        serverDeliveredTimestamp: time,
        ...content,
      },
    });
    this.#last.set(from.uuid, frame);
    this.receiving.send(account, frame);
    return time;
  }

  repeat(account: string, from: SignalPerson): void {
    this.receiving.send(account, this.#last.get(from.uuid) ?? "");
  }

  raw(account: string, frame: string): void {
    this.receiving.send(account, frame);
  }

  addFile(bytes: Buffer): string {
    const id = `${randomUUID()}.bin`;
    this.files.set(id, bytes);
    return id;
  }

  fail(name: string, fault: Fault, times = 1): void {
    this.faults.add(name, fault, times);
  }

  /** As when Signal wants a captcha; it names no time to wait. */
  limit(count: number): void {
    const body = { error: "rate limited", challenge_tokens: ["token"], account: this.accounts[0] };
    this.fail("POST /v2/send", { status: 429, body }, count);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when a condition is true; it is checked after each change. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        const stop = this.onChange(() => {
          stop();
          resolve();
        });
      });
    }
  }

  async goAway(): Promise<void> {
    this.receiving.cut();
    await this.#http.close();
  }

  comeBack(): Promise<void> {
    return this.#http.listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.goAway();
  }

  async #answer(request: PlatformRequest): Promise<PlatformAnswer | "hang"> {
    const route = request.path.split("/").slice(0, 3).join("/");
    const name = `${request.method} ${route}`;
    const body =
      request.body.length === 0 ? {} : (JSON.parse(request.body.toString()) as Record<string, unknown>);
    this.calls.push({ name, body });
    const hasFile = Array.isArray(body.base64_attachments) && body.base64_attachments.length > 0;
    const fault = this.faults.take(hasFile ? `${name} with file` : name);
    if (fault && fault !== "cut-after") return answerOfFault(fault);
    const answer = this.#carryOut(name, request, body);
    queueMicrotask(() => this.#changed());
    return fault ? { status: 0, cut: "before" } : answer;
  }

  #carryOut(name: string, { path, query }: PlatformRequest, body: Record<string, unknown>): PlatformAnswer {
    const last = decodeURIComponent(path.split("/").at(-1) ?? "");
    switch (name) {
      case "GET /v1/about":
        return ok({ versions: ["v1", "v2"], build: 2, mode: this.mode, version: "0.100", capabilities: {} });
      case "GET /v1/health":
        return { status: 204 };
      case "GET /v1/accounts":
        return ok(this.accounts);
      case "GET /v1/qrcodelink": {
        if (!query.get("device_name")) return refusal("Please provide a name for the device");
        const link = `sgnl://linkdevice?uuid=${randomUUID()}&pub_key=${Buffer.from("key").toString("base64")}`;
        this.links.push(link);
        return ok({ device_link_uri: link });
      }
      case "POST /v2/send":
        return this.#send(body);
      case "PUT /v1/typing-indicator":
      case "DELETE /v1/typing-indicator":
        if (readRecipient(String(body.recipient)) === null) return refusal("invalid recipient");
        this.typing.push({ recipient: String(body.recipient), on: name.startsWith("PUT") });
        return { status: 204 };
      case "POST /v1/receipts":
        if (readRecipient(String(body.recipient)) === null) return refusal("invalid recipient");
        this.receipts.push({ recipient: String(body.recipient), timestamp: Number(body.timestamp) });
        return { status: 204 };
      case "POST /v1/reactions":
      case "DELETE /v1/reactions":
        return this.#react(body, name.startsWith("POST"));
      case "GET /v1/attachments": {
        const file = this.files.get(last);
        return file
          ? { status: 200, body: file }
          : { status: 404, body: { error: "No attachment with that id" } };
      }
      default:
        return { status: 404, body: { error: "not found" } };
    }
  }

  #react(body: Record<string, unknown>, on: boolean): PlatformAnswer {
    for (const field of ["recipient", "reaction", "target_author", "timestamp"])
      if (!body[field]) return refusal(`Couldn't process request - ${field} missing`);
    const { recipient, reaction, target_author: author, timestamp: time } = body;
    if (readRecipient(String(recipient)) === null) return refusal("invalid recipient");
    const shown = { recipient: String(recipient), emoji: String(reaction), author: String(author) };
    if (on) this.reactions.set(Number(time), shown);
    else this.reactions.delete(Number(time));
    return { status: 204 };
  }

  #send(body: Record<string, unknown>): PlatformAnswer {
    const number = String(body.number);
    if (!this.accounts.includes(number)) return refusal(`User ${number} is not registered.`);
    const recipients = Array.isArray(body.recipients) ? body.recipients.map(String) : [];
    if (recipients.length === 0) return refusal("Please provide at least one recipient");
    const files = Array.isArray(body.base64_attachments) ? body.base64_attachments.map(String) : [];
    const attachments = files.map(readAttachment);
    if (attachments.includes(null)) return refusal("Couldn't parse attachment");
    const time = String(timestamp());
    const message = String(body.message ?? "");
    const { text, styles } =
      body.text_mode === "styled" ? parseStyled(message) : { text: message, styles: [] };
    for (const recipient of recipients) {
      const to = readRecipient(recipient);
      if (to === null) return refusal(`Invalid identifier: ${recipient}`);
      if (this.untrusted.has(to)) return refusal("Failed to send message due to untrusted recipient keys");
      this.delivered.push({
        to,
        message: text,
        styles,
        timestamp: time,
        attachments: attachments.filter((file) => file !== null),
      });
    }
    return { status: 201, body: { timestamp: time } };
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const ok = (body: unknown): PlatformAnswer => ({ status: 200, body });
const refusal = (error: string): PlatformAnswer => ({ status: 400, body: { error } });
