import type { ChannelAttachment, PluginLogger, PluginStorage } from "@patchbay/plugin-sdk";
import {
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  failureOf,
  type InboundFile,
  type OutgoingPiece,
  pause,
  type SentPiece,
} from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { PollTimeout, WeChatApi, WeChatRefusal } from "./api.ts";
import { toPlainText } from "./formatting.ts";
import { readMessage, readRef, saidIn } from "./inbound.ts";
import { downloadMedia, uploadMedia } from "./media.ts";
import { Said } from "./quotes.ts";
import type { WeChatChannel } from "./settings.ts";
import { configSchema, type Message, readWire, sentSchema, updatesSchema } from "./wire.ts";

const POLL_MS = 35_000;
const CALL_MS = 15_000;
const NOTIFY_MS = 10_000;
/**
 * Milliseconds between a failed poll and the next one; and how many may fail in a row before the connection counts as
 * lost.
 */
const POLL_PAUSE_MS = 2_000;
const POLL_FAILURES = 3;
const TICKET_MS = 24 * 60 * 60_000;
/**
 * A refused message is given up after this many tries. The service does not say why it refuses, so waiting may or may
 * not help.
 */
const SEND_TRIES = 6;
const REFUSED_PAUSE_MS = 5_000;
const anything = z.unknown();

/** One signed-in bot, as the channel toolkit drives it. A conversation is the other person's id. */
export class WeChatTransport implements ChannelTransport {
  readonly limits = { piece: 4_000, unit: "chars" as const, typingEveryMs: 5_000 };
  readonly #settings: WeChatChannel;
  readonly #clock: ChannelClock;
  readonly #storage: PluginStorage;
  readonly #api: WeChatApi;
  readonly #contexts = new Map<string, string>();
  readonly #tickets = new Map<string, { ticket: string; until: number }>();
  readonly #refusals = new Map<string, number>();
  readonly #said: Said;
  readonly #logger: Pick<PluginLogger, "warn">;
  /** Places in messages whose form is not known, which were told already. */
  readonly #odd = new Set<string>();
  #connection: { over: AbortController; polling: Promise<void> } | null = null;

  constructor(
    settings: WeChatChannel,
    clock: ChannelClock,
    storage: PluginStorage,
    logger: Pick<PluginLogger, "warn">,
  ) {
    this.#settings = settings;
    this.#clock = clock;
    this.#storage = storage;
    this.#logger = logger;
    this.#said = new Said(storage, this.#key("said"));
    this.#api = new WeChatApi({ baseUrl: settings.baseUrl, token: settings.botToken, clock });
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    await this.#notify("start", signal);
    await this.#said.load();
    const over = new AbortController();
    this.#connection = { over, polling: this.#poll(port, over.signal) };
    return { account: this.#settings.botId || "WeChat" };
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = null;
    connection.over.abort();
    await connection.polling;
    await this.#said.store().catch(() => {});
    await this.#notify("stop").catch(() => {});
  }

  async send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    const text = toPlainText(piece.text);
    const sent = await this.#sendItem(conversation, { type: 1, text_item: { text } }, piece.id);
    if (sent.messageId !== undefined) await this.#remember(conversation, sent.messageId, text);
    return sent;
  }

  async sendFile(conversation: string, file: ChannelAttachment, id: string): Promise<SentPiece> {
    const bytes = Buffer.from(file.data, "base64");
    const { cdnUrl } = this.#settings;
    const item = await uploadMedia({ ...file, bytes }, conversation, {
      api: this.#api,
      cdnUrl,
      clock: this.#clock,
    }).catch((error: unknown) => {
      throw error instanceof WeChatRefusal ? new ChannelFailure("refused", error.message) : error;
    });
    return this.#sendItem(conversation, item, id);
  }

  async typing(conversation: string, on: boolean): Promise<void> {
    const ticket = await this.#ticketFor(conversation);
    await this.#api.post(
      "ilink/bot/sendtyping",
      { ilink_user_id: conversation, typing_ticket: ticket, status: on ? 1 : 2 },
      anything,
      { timeoutMs: NOTIFY_MS },
    );
  }

  async download(file: InboundFile, signal: AbortSignal): Promise<Uint8Array> {
    const { media, key } = readRef(file.ref);
    return downloadMedia(media, key, this.#settings.cdnUrl, signal);
  }

  async directConversation(userId: string): Promise<string | null> {
    return userId;
  }

  /** Tells the service that the bot starts or stops. Any answer shows that the service is there, even a refusal. */
  async #notify(what: "start" | "stop", signal?: AbortSignal): Promise<void> {
    try {
      await this.#api.post(`ilink/bot/msg/notify${what}`, {}, anything, { timeoutMs: NOTIFY_MS, signal });
    } catch (error) {
      if (error instanceof WeChatRefusal) return;
      if (error instanceof PollTimeout) throw new ChannelFailure("offline", "WeChat does not answer.");
      throw error;
    }
  }

  /** Reads until the connection is closed or lost. Never rejects. */
  async #poll(port: ChannelPort, signal: AbortSignal): Promise<void> {
    let failures = 0;
    let timeoutMs = POLL_MS;
    let cursor = await this.#stored(this.#key("cursor"));
    while (!signal.aborted) {
      try {
        const updates = await this.#api.post(
          "ilink/bot/getupdates",
          { get_updates_buf: cursor },
          updatesSchema,
          {
            timeoutMs,
            signal,
          },
        );
        await this.#take(updates.msgs ?? [], port);
        failures = 0;
        timeoutMs = updates.longpolling_timeout_ms ?? timeoutMs;
        if (updates.get_updates_buf && updates.get_updates_buf !== cursor) {
          cursor = updates.get_updates_buf;
          // The cursor acknowledges all messages before it, so it is stored only after they are.
          await this.#storage.set(this.#key("cursor"), cursor);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof PollTimeout) continue;
        const failure = failureOf(error);
        failures += 1;
        if (failure.kind !== "offline" || failures >= POLL_FAILURES) return port.lost(failure);
        await pause(this.#clock, POLL_PAUSE_MS, signal);
      }
    }
  }

  /** Each person's messages in their order; resolves when all are safe. */
  async #take(raw: readonly unknown[], port: ChannelPort): Promise<void> {
    const odd = (where: string) => this.#tellOdd(where);
    const people = new Map<string, Message[]>();
    for (const value of raw) {
      const message = readWire(value, odd);
      if (message) people.set(message.from_user_id, [...(people.get(message.from_user_id) ?? []), message]);
    }
    await this.#said.load();
    const find = (conversation: string, id: string) => this.#said.find(conversation, id);
    await Promise.all(
      [...people].map(async ([person, messages]) => {
        const context = messages.findLast(({ context_token }) => context_token)?.context_token;
        if (context) await this.#keepContext(person, context);
        const read = messages.map((message) => {
          const inbound = readMessage(message, { find, odd });
          if (inbound?.id !== undefined) void this.#remember(person, inbound.id, saidIn(message));
          return inbound;
        });
        // All are handed over in order before any is awaited: awaiting each one alone would need one write to the disk
        // per message.
        await Promise.all(read.map((message) => message && port.message(message)));
      }),
    );
  }

  /** For quotes of it. Never rejects: that a quote is found is worth less than the message. */
  async #remember(conversation: string, id: string, text: string): Promise<void> {
    await this.#said.remember(conversation, id, text).catch(() => {});
  }

  /** Says once of each place that WeChat writes it in a form that is not known. Nothing of what was said is in it. */
  #tellOdd(where: string): void {
    if (this.#odd.has(where)) return;
    this.#odd.add(where);
    this.#logger.warn(
      `A message of WeChat has an unknown form at “${where}”; its text is answered all the same.`,
    );
  }

  async #sendItem(to: string, item: object, id: string): Promise<SentPiece> {
    const context = await this.#contextOf(to);
    const msg = {
      from_user_id: "",
      to_user_id: to,
      client_id: `patchbay-${id}`,
      message_type: 2,
      message_state: 2,
      ...(context !== "" && { context_token: context }),
      item_list: [item],
    };
    try {
      const sent = await this.#api.post("ilink/bot/sendmessage", { msg }, sentSchema, { timeoutMs: CALL_MS });
      this.#refusals.delete(id);
      return sent.message_id ? { messageId: sent.message_id } : {};
    } catch (error) {
      if (error instanceof PollTimeout) throw new ChannelFailure("offline", "WeChat did not answer in time.");
      if (!(error instanceof WeChatRefusal)) throw error;
      const tries = (this.#refusals.get(id) ?? 0) + 1;
      this.#refusals.set(id, tries);
      if (tries < SEND_TRIES) {
        throw new ChannelFailure("rate-limited", error.message, { retryAfterMs: REFUSED_PAUSE_MS * tries });
      }
      this.#refusals.delete(id);
      throw new ChannelFailure("refused", error.message);
    }
  }

  async #ticketFor(person: string): Promise<string> {
    const known = this.#tickets.get(person);
    if (known && known.until > this.#clock.now()) return known.ticket;
    const context = await this.#contextOf(person);
    const { typing_ticket } = await this.#api.post(
      "ilink/bot/getconfig",
      { ilink_user_id: person, context_token: context },
      configSchema,
      { timeoutMs: NOTIFY_MS },
    );
    if (!typing_ticket) throw new ChannelFailure("refused", "WeChat gives no leave to show typing.");
    this.#tickets.set(person, { ticket: typing_ticket, until: this.#clock.now() + TICKET_MS });
    return typing_ticket;
  }

  async #contextOf(person: string): Promise<string> {
    const known = this.#contexts.get(person);
    if (known !== undefined) return known;
    const stored = await this.#stored(this.#key("context", person));
    if (!this.#contexts.has(person)) this.#contexts.set(person, stored);
    return this.#contexts.get(person) ?? stored;
  }

  async #keepContext(person: string, context: string): Promise<void> {
    if ((await this.#contextOf(person)) === context) return;
    this.#contexts.set(person, context);
    await this.#storage.set(this.#key("context", person), context);
  }

  /** A key of the storage for this bot alone: another bot has other messages and cursors. */
  #key(...words: string[]): string {
    return [...words, this.#settings.botId].join(".");
  }

  async #stored(key: string): Promise<string> {
    const value = await this.#storage.get(key);
    return typeof value === "string" ? value : "";
  }
}
