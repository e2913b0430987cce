import { randomBytes } from "node:crypto";
import { type ChannelClock, ChannelFailure, reasonOf } from "@patchbay/plugin-sdk/channel";
import type { z } from "zod";
import { answerSchema, parseLossless } from "./wire.ts";

const VERSION = "0.1.0";
/** `0x00MMNNPP` of the version, as a decimal number. */
const CLIENT_VERSION = String(VERSION.split(".").reduce((value, part) => value * 256 + Number(part), 0));
const baseInfo = { channel_version: VERSION, bot_agent: `Patchbay/${VERSION} (plugin)` };

/** The token is stale: only a new sign-in helps. */
const STALE = -14;

export interface ApiOptions {
  baseUrl: string;
  /** Absent before the sign-in. */
  token?: string;
  clock: ChannelClock;
}

export interface CallOptions {
  /** Milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** The service answered with something other than success; `ret` is its own code, where it gave one. */
export class WeChatRefusal extends Error {
  readonly ret: number;
  constructor(ret: number, message: string) {
    super(message);
    this.name = "WeChatRefusal";
    this.ret = ret;
  }
}

/** The time limit ended before the service had something to deliver. No failure. */
export class PollTimeout extends Error {}

/** Calls of the iLink service: JSON over HTTPS, success and failure in the body. */
export class WeChatApi {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /**
   * @throws ChannelFailure `credentials` when the token is stale, `offline` when there is no proper answer;
   *   WeChatRefusal for any other refusal; PollTimeout
   */
  async post<T>(path: string, body: object, schema: z.ZodType<T>, options: CallOptions): Promise<T> {
    const { token } = this.#options;
    const text = await this.#fetch(path, options, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorizationtype: "ilink_bot_token",
        "x-wechat-uin": Buffer.from(String(randomBytes(4).readUInt32BE())).toString("base64"),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(token === undefined ? body : { ...body, base_info: baseInfo }),
    });
    return this.#read(text, schema);
  }

  /** As {@link post}. */
  async get<T>(path: string, schema: z.ZodType<T>, options: CallOptions): Promise<T> {
    return this.#read(await this.#fetch(path, options, {}), schema);
  }

  async #fetch(path: string, { timeoutMs, signal }: CallOptions, init: RequestInit): Promise<string> {
    const { baseUrl, clock } = this.#options;
    const limit = new AbortController();
    const callOff = clock.limit(timeoutMs, () => limit.abort(new PollTimeout()));
    try {
      const response = await fetch(new URL(path, `${baseUrl.replace(/\/+$/, "")}/`), {
        ...init,
        redirect: "error",
        headers: {
          "ilink-app-id": "bot",
          "ilink-app-clientversion": CLIENT_VERSION,
          ...init.headers,
        },
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      });
      const text = await response.text();
      // 524: a proxy in between has given up waiting, which means the same as our own time limit.
      if (response.status === 524) throw new PollTimeout();
      if (!response.ok)
        throw new ChannelFailure("offline", `WeChat answered with status ${response.status}.`);
      return text;
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      if (error instanceof ChannelFailure || error instanceof PollTimeout) throw error;
      throw new ChannelFailure("offline", `WeChat cannot be reached: ${reasonOf(error)}.`, { cause: error });
    } finally {
      callOff();
    }
  }

  #read<T>(text: string, schema: z.ZodType<T>): T {
    let value: unknown;
    try {
      value = parseLossless(text);
    } catch (error) {
      throw new ChannelFailure("offline", "WeChat answered with something that is not JSON.", {
        cause: error,
      });
    }
    const { data: answer } = answerSchema.safeParse(value);
    const code = answer?.ret || answer?.errcode || 0;
    if (answer?.ret === STALE || answer?.errcode === STALE) {
      throw new ChannelFailure("credentials", "WeChat has ended this sign-in. Scan a new code.");
    }
    if (code !== 0)
      throw new WeChatRefusal(code, `WeChat refused it: ${answer?.errmsg || "no reason"} (${code}).`);
    const read = schema.safeParse(value);
    if (!read.success) throw new ChannelFailure("offline", "WeChat answered with something unexpected.");
    return read.data;
  }
}
