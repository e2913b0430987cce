import { type ChannelClock, ChannelFailure, reasonOf } from "@patchbay/plugin-sdk/channel";
import type { z } from "zod";
import { callAddress } from "./server-address.ts";
import { aboutSchema, accountsSchema, linkSchema, problemSchema, sentSchema } from "./wire.ts";

const CALL_MS = 15_000;
/** Longer than for other calls, because Signal itself may take long to accept a message; milliseconds. */
const SEND_MS = 90_000;
/** After "too many requests" the server names no time to wait; this is used instead, milliseconds. */
const RATE_LIMIT_MS = 60_000;

export interface SendRequest {
  recipients: string[];
  message: string;
  /** `data:<mime>;filename=<name>;base64,<data>` */
  attachments?: string[];
  /** The attachment is shown as a voice note. Bridges that do not know the field leave it out. */
  voiceNote?: boolean;
  /** The message that is shown above this one, because this answers it. */
  quote?: { timestamp: number; author: string; text: string };
}

/** A reaction to the message of an author, in a conversation with a person or a group. */
export interface Reaction {
  recipient: string;
  emoji: string;
  author: string;
  timestamp: number;
}

/** The server answered with a status other than success. */
export class SignalRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "SignalRefusal";
    this.status = status;
  }
}

/** Calls of a signal-cli-rest-api. All throw ChannelFailure `offline`, or SignalRefusal for a bad status. */
export class SignalApi {
  readonly #server: string;
  readonly #clock: ChannelClock;
  readonly #callMs: number;

  /** @param callMs milliseconds that a call may take, sending aside */
  constructor(server: string, clock: ChannelClock, callMs = CALL_MS) {
    this.#server = server;
    this.#clock = clock;
    this.#callMs = callMs;
  }

  about() {
    return this.#json("v1/about", aboutSchema);
  }

  accounts() {
    return this.#json("v1/accounts", accountsSchema);
  }

  /** Begins to link a device. Each call begins anew. */
  async link(deviceName: string): Promise<string> {
    const query = new URLSearchParams({ device_name: deviceName });
    return (await this.#json(`v1/qrcodelink/raw?${query}`, linkSchema)).device_link_uri;
  }

  /** Resolves with the timestamp that names the message. @throws ChannelFailure `rate-limited` */
  async send(number: string, request: SendRequest): Promise<string> {
    const { recipients, message, attachments, voiceNote, quote } = request;
    const body = {
      number,
      recipients,
      message,
      text_mode: "styled",
      ...(attachments && { base64_attachments: attachments }),
      ...(voiceNote && { voice_note: true }),
      ...(quote && {
        quote_timestamp: quote.timestamp,
        quote_author: quote.author,
        quote_message: quote.text,
      }),
    };
    return (await this.#json("v2/send", sentSchema, { method: "POST", body, timeoutMs: SEND_MS })).timestamp;
  }

  async typing(number: string, recipient: string, on: boolean): Promise<void> {
    const path = `v1/typing-indicator/${encodeURIComponent(number)}`;
    await this.#call(path, { method: on ? "PUT" : "DELETE", body: { recipient } });
  }

  /** Tells the author of a message that it was read. */
  async read(number: string, author: string, timestamp: number): Promise<void> {
    const body = { receipt_type: "read", recipient: author, timestamp };
    await this.#call(`v1/receipts/${encodeURIComponent(number)}`, { method: "POST", body });
  }

  /** Shows a reaction at somebody's message, or takes it away. A person has one reaction at a message: a new one replaces it. */
  async react(number: string, on: boolean, reaction: Reaction): Promise<void> {
    const { recipient, emoji, author, timestamp } = reaction;
    const body = { recipient, reaction: emoji, target_author: author, timestamp };
    await this.#call(`v1/reactions/${encodeURIComponent(number)}`, { method: on ? "POST" : "DELETE", body });
  }

  attachmentAddress(id: string): string {
    return callAddress(this.#server, `v1/attachments/${encodeURIComponent(id)}`).href;
  }

  async #json<T>(path: string, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
    const text = await this.#call(path, options);
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw new ChannelFailure("offline", "What answers at this address is no signal-cli-rest-api.", {
        cause: error,
      });
    }
  }

  async #call(
    path: string,
    { method = "GET", body, timeoutMs = this.#callMs }: CallOptions,
  ): Promise<string> {
    const limit = new AbortController();
    const late = new ChannelFailure("offline", "The Signal server does not answer.");
    const callOff = this.#clock.limit(timeoutMs, () => limit.abort(late));
    try {
      const response = await fetch(callAddress(this.#server, path), {
        method,
        redirect: "error",
        signal: limit.signal,
        ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      const text = await response.text();
      if (!response.ok) throw refusalOf(response.status, text);
      return text;
    } catch (error) {
      if (limit.signal.aborted) throw late;
      if (error instanceof ChannelFailure || error instanceof SignalRefusal) throw error;
      throw new ChannelFailure("offline", `The Signal server cannot be reached: ${reasonOf(error)}.`, {
        cause: error,
      });
    } finally {
      callOff();
    }
  }
}

interface CallOptions {
  method?: string;
  body?: object;
  timeoutMs?: number;
}

function refusalOf(status: number, text: string): Error {
  const why = reasonIn(text);
  if (status === 429) {
    const wantsCaptcha = /"challenge_tokens"\s*:\s*\[\s*"/.test(text);
    const sentence = wantsCaptcha
      ? `Signal wants fewer messages: ${why}. It wants a captcha solved for it.`
      : `Signal wants fewer messages: ${why}.`;
    return new ChannelFailure("rate-limited", sentence, { retryAfterMs: RATE_LIMIT_MS });
  }
  if (status >= 500)
    return new ChannelFailure("offline", `The Signal server failed with status ${status}: ${why}.`);
  return new SignalRefusal(status, why);
}

function reasonIn(text: string): string {
  try {
    return (problemSchema.parse(JSON.parse(text)).error || "no reason given").slice(0, 500);
  } catch {
    return text.slice(0, 200) || "no reason given";
  }
}
