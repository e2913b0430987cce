import type { ChannelAttachment, PluginStorage } from "@patchbay/plugin-sdk";
import {
  type ChannelButton,
  type ChannelClock,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  fetchFile,
  type InboundFile,
  type MessageMark,
  type OutgoingPiece,
  type SentPiece,
  type SoughtPiece,
  splitText,
} from "@patchbay/plugin-sdk/channel";
import { type KnownBlock, WebClient } from "@slack/web-api";
import { CatchUp } from "./catch-up.ts";
import { slackCode, slackFailure, uploadFailure } from "./errors.ts";
import { EventReader } from "./events.ts";
import { toMrkdwn } from "./mrkdwn.ts";
import { placeOf } from "./receive.ts";
import { findPiece, metadataOf } from "./sent-before.ts";
import { SlackSocket, silentLogger } from "./socket.ts";
import { Threads } from "./threads.ts";

export interface TransportOptions {
  storage: PluginStorage;
  clock: ChannelClock;
  botToken: string;
  appToken: string;
  slackApiUrl: string;
  /** In a thread people go on without a mention. */
  followThreads: boolean;
  /** A sentence in the language of the chats. */
  say(sentence: string): string;
}

/** Milliseconds. */
const REQUEST_MS = 15_000;
/** Slack shows "is typing" for two minutes, or until there is an answer; it is renewed after this many milliseconds. */
const TYPING_EVERY_MS = 60_000;
/** Slack's limit for the text of one section block, in characters. */
const SECTION_LIMIT = 3_000;
/**
 * `chat.update` refuses more than 4,000 bytes of UTF-8 as Slack gets them, so after escaping (`&` becomes five). A message
 * that may have to be edited must not be longer from the beginning.
 */
const MESSAGE_BYTES = 3_990;
const STILL_WRITING = " …";
/** Reactions by which people see what becomes of their message. */
const reactions: Readonly<Record<MessageMark, string>> = { seen: "eyes", working: "hourglass_flowing_sand" };

/** Slack as a transport. A conversation is a channel, or a thread in it as `<channel>:<ts>`. */
export class SlackTransport implements ChannelTransport {
  readonly limits: ChannelTransport["limits"] = {
    piece: MESSAGE_BYTES,
    unit: (text) => Buffer.byteLength(toMrkdwn(text) + STILL_WRITING),
    editEveryMs: 1_500,
    typingEveryMs: TYPING_EVERY_MS,
    buttons: true,
  };
  readonly #options: TransportOptions;
  readonly #web: WebClient;
  readonly #catchUp: CatchUp;
  #socket: SlackSocket | null = null;
  #botUserId = "";
  /** The app was made before it asked for reactions. */
  #marksRefused = false;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#web = openWeb(options.botToken, options.slackApiUrl);
    this.#catchUp = new CatchUp(options.storage, options.clock);
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    try {
      const me = await this.#web.auth.test();
      const { appToken, slackApiUrl, clock, storage, followThreads } = this.#options;
      this.#botUserId = me.user_id ?? "";
      const reader = new EventReader({
        web: this.#web,
        catchUp: this.#catchUp,
        port,
        own: { userId: this.#botUserId, botId: me.bot_id ?? "" },
        threads: followThreads ? await Threads.open(storage, clock) : null,
        closed: signal,
      });
      const socket = new SlackSocket({
        appToken,
        slackApiUrl,
        clock,
        onEnvelope: (envelope) => reader.read(envelope),
        onLost: (reason) => port.lost(reason),
      });
      this.#socket = socket;
      const greeted = Promise.withResolvers<void>();
      greeted.promise.catch(() => {});
      await reader.catchUp(greeted.promise);
      // What comes with the greeting waits behind what was missed.
      await socket.open().then(greeted.resolve, (error: unknown) => {
        greeted.reject(error);
        throw error;
      });
      return { account: `@${me.user} in ${me.team}` };
    } catch (error) {
      throw slackFailure(error);
    }
  }

  async close(): Promise<void> {
    this.#socket?.close();
    this.#socket = null;
  }

  /** Checks the bot's token; the socket has pings of its own. */
  async ping(): Promise<void> {
    await call(() => this.#web.auth.test());
  }

  async send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    const sent = await call(() =>
      this.#web.chat.postMessage({
        ...placeOf(conversation),
        text: textOf(piece),
        metadata: metadataOf(piece.id),
        unfurl_links: false,
        unfurl_media: false,
        ...(piece.buttons?.length && { blocks: blocksOf(piece.text, piece.buttons) }),
      }),
    );
    return sent.ts === undefined ? {} : { messageId: sent.ts };
  }

  wasSent(conversation: string, { id }: SoughtPiece): Promise<SentPiece | null | "unknown"> {
    return findPiece(this.#web, conversation, { id, botUserId: this.#botUserId });
  }

  async mark(
    conversation: string,
    messageId: string,
    mark: MessageMark | null,
    before: MessageMark | null,
  ): Promise<void> {
    // Commands have ids that are no messages.
    if (this.#marksRefused || !/^\d+\.\d+$/.test(messageId)) return;
    const { channel } = placeOf(conversation);
    const at = { channel, timestamp: messageId };
    if (mark) await this.#react(() => this.#web.reactions.add({ ...at, name: reactions[mark] }));
    if (before) await this.#react(() => this.#web.reactions.remove({ ...at, name: reactions[before] }));
  }

  async edit(conversation: string, messageId: string, piece: OutgoingPiece): Promise<void> {
    const { channel } = placeOf(conversation);
    await call(() =>
      this.#web.chat.update({
        channel,
        ts: messageId,
        text: textOf(piece),
        ...(piece.buttons && {
          blocks: piece.buttons.length > 0 ? blocksOf(piece.text, piece.buttons) : [],
        }),
      }),
    );
  }

  async remove(conversation: string, messageId: string): Promise<void> {
    const { channel } = placeOf(conversation);
    await call(() => this.#web.chat.delete({ channel, ts: messageId }));
  }

  async typing(conversation: string, on: boolean): Promise<void> {
    const { channel, thread_ts } = placeOf(conversation);
    if (thread_ts === undefined) return;
    await call(() =>
      this.#web.assistant.threads.setStatus({
        channel_id: channel,
        thread_ts,
        status: on ? this.#options.say("is typing…") : "",
      }),
    );
  }

  async sendFile(conversation: string, file: ChannelAttachment): Promise<SentPiece> {
    const { channel, thread_ts } = placeOf(conversation);
    const upload = { file: Buffer.from(file.data, "base64"), filename: file.name, channel_id: channel };
    const complete = thread_ts === undefined ? upload : { ...upload, thread_ts };
    await call(() => this.#web.filesUploadV2(complete)).catch((error: unknown) => {
      throw uploadFailure(error);
    });
    return {};
  }

  async download(file: InboundFile, signal: AbortSignal): Promise<Uint8Array> {
    const { botToken, slackApiUrl } = this.#options;
    const api = new URL(slackApiUrl);
    const bytes = await fetchFile(await this.#addressOf(file), {
      hosts: ["files.slack.com", "files.slack-gov.com", ...(api.protocol === "http:" ? [api.host] : [])],
      headers: { authorization: `Bearer ${botToken}` },
      allowHttp: api.protocol === "http:",
      signal,
    });
    // Without the permission to read files, Slack answers with status 200 and a page for signing in.
    const isPage = /^\s*<(!doctype html|html)/i.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
    if (isPage && !file.mimeType.includes("html")) {
      throw new ChannelFailure("refused", "the Slack app lacks the permission files:read");
    }
    return bytes;
  }

  async directConversation(userId: string): Promise<string | null> {
    const { channel } = await call(() => this.#web.conversations.open({ users: userId }));
    return channel?.id ?? null;
  }

  async #react(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      if (slackCode(error) === "missing_scope") this.#marksRefused = true;
      const failure = slackFailure(error);
      if (failure.kind === "rate-limited") throw failure;
    }
  }

  async #addressOf({ ref }: InboundFile): Promise<string> {
    if (!ref.startsWith("file:")) return ref;
    const { file } = await call(() => this.#web.files.info({ file: ref.slice("file:".length) }));
    return file?.url_private_download ?? file?.url_private ?? "";
  }
}

/**
 * A client that tries each request once and does not wait for rate limits, because the toolkit decides what is tried
 * again.
 */
export function openWeb(token: string, slackApiUrl: string): WebClient {
  return new WebClient(token, {
    slackApiUrl,
    logger: silentLogger(),
    retryConfig: { retries: 0 },
    timeout: REQUEST_MS,
    rejectRateLimitedCalls: true,
  });
}

async function call<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (slackCode(error) === "already_reacted") return undefined as T;
    throw slackFailure(error);
  }
}

function textOf({ text, draft }: OutgoingPiece): string {
  return toMrkdwn(text) + (draft ? STILL_WRITING : "");
}

function blocksOf(source: string, buttons: readonly ChannelButton[]): KnownBlock[] {
  // The source is cut, not what it is rendered to: a cut must not go through an escape or a code block.
  const parts = splitText(source, SECTION_LIMIT, (part) => toMrkdwn(part).length);
  const sections: KnownBlock[] = parts.map((part) => ({
    type: "section",
    text: { type: "mrkdwn", text: toMrkdwn(part) },
  }));
  const elements = buttons.map(({ label, data, style }) => ({
    type: "button" as const,
    text: { type: "plain_text" as const, text: label },
    action_id: data,
    value: data,
    style,
  }));
  return [...sections, { type: "actions", elements }];
}
