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
  measure,
  type OutgoingPiece,
  type SentPiece,
  type SoughtPiece,
} from "@patchbay/plugin-sdk/channel";
import {
  type APIMessage,
  ButtonStyle,
  Client,
  ComponentType,
  GatewayIntentBits,
  MessageFlags,
  Partials,
  type RESTOptions,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from "discord.js";
import { CatchUp } from "./catch-up.ts";
import { discordFailure } from "./errors.ts";
import { menu } from "./menu.ts";
import { MortalSharding } from "./mortal-sharding.ts";
import { Reader } from "./reader.ts";
import type { FileRef } from "./receive.ts";
import { toDiscord } from "./render.ts";
import { findPiece } from "./sent-before.ts";
import { logIn } from "./session.ts";

export interface TransportOptions {
  token: string;
  apiUrl: string;
  storage: PluginStorage;
  clock: ChannelClock;
}

/** Milliseconds that a request to the REST API may take. */
const REQUEST_MS = 15_000;
/** Milliseconds for which logging in waits for the bot's servers to become available. */
const GUILDS_MS = 5_000;
/** Discord's limit for one message, in code points as Discord gets them. */
const MESSAGE_LIMIT = 2_000;
const STILL_WRITING = " …";
/** Reactions by which people see what becomes of their message. */
const reactions: Readonly<Record<MessageMark, string>> = { seen: "👀", working: "⏳" };
/** Discord's limit for one file, in bytes. */
const UPLOAD_LIMIT = 10 * 1024 * 1024;

/** Discord as a transport. A conversation is a channel's id; a thread is a channel. */
export class DiscordTransport implements ChannelTransport {
  readonly limits: ChannelTransport["limits"] = {
    piece: MESSAGE_LIMIT,
    unit: (text) => measure(toDiscord(text) + STILL_WRITING, "code points"),
    editEveryMs: 1_500,
    typingEveryMs: 8_000,
    buttons: true,
  };
  readonly #options: TransportOptions;
  readonly #catchUp: CatchUp;
  #client: Client;
  /** Channels in which the bot may not react. */
  readonly #noReactions = new Set<string>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#catchUp = new CatchUp(options.storage, options.clock);
    this.#client = openClient(options.apiUrl);
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    const client = openClient(this.#options.apiUrl);
    this.#client = client;
    try {
      await this.#catchUp.load();
      new Reader(client, port, this.#catchUp, signal);
      await logIn(client, this.#options.token, { port, signal });
      // The commands only fill Discord's menu, so a failure is ignored.
      void client.application?.commands.set(menu).catch(() => {});
      return { account: `@${client.user?.username}` };
    } catch (error) {
      throw discordFailure(error);
    }
  }

  async close(): Promise<void> {
    this.#client.removeAllListeners();
    await this.#client.destroy().catch(() => {});
  }

  async send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    const body: RESTPostAPIChannelMessageJSONBody = {
      ...contentOf(piece),
      nonce: piece.id.slice(0, 25),
      enforce_nonce: true,
      ...(piece.replyTo !== undefined && {
        message_reference: { message_id: piece.replyTo, fail_if_not_exists: false },
      }),
    };
    const sent = await this.#call((rest) => rest.post(Routes.channelMessages(conversation), { body }));
    return { messageId: (sent as APIMessage).id };
  }

  wasSent(conversation: string, piece: SoughtPiece): Promise<SentPiece | null | "unknown"> {
    const { rest, user } = this.#client;
    return findPiece(rest, user?.id ?? "", conversation, piece);
  }

  async mark(
    conversation: string,
    messageId: string,
    mark: MessageMark | null,
    before: MessageMark | null,
  ): Promise<void> {
    if (this.#noReactions.has(conversation)) return;
    const at = (one: MessageMark) =>
      Routes.channelMessageOwnReaction(conversation, messageId, encodeURIComponent(reactions[one]));
    try {
      if (mark) await this.#call((rest) => rest.put(at(mark)));
      if (before) await this.#call((rest) => rest.delete(at(before)));
    } catch (error) {
      // Refused requests count against the bot, so it does not go on with them.
      if (discordFailure(error).kind === "refused") this.#noReactions.add(conversation);
      throw error;
    }
  }

  async edit(conversation: string, messageId: string, piece: OutgoingPiece): Promise<void> {
    const body = contentOf(piece);
    await this.#call((rest) => rest.patch(Routes.channelMessage(conversation, messageId), { body }));
  }

  async remove(conversation: string, messageId: string): Promise<void> {
    await this.#call((rest) => rest.delete(Routes.channelMessage(conversation, messageId)));
  }

  async typing(conversation: string, on: boolean): Promise<void> {
    if (on) await this.#call((rest) => rest.post(Routes.channelTyping(conversation)));
  }

  async sendFile(conversation: string, file: ChannelAttachment, id: string): Promise<SentPiece> {
    const data = Buffer.from(file.data, "base64");
    if (data.length > UPLOAD_LIMIT)
      throw new ChannelFailure("refused", "larger than the 10 MB that Discord takes");
    const files = [{ name: file.name, data, contentType: file.mimeType }];
    const nonce = { nonce: id.slice(0, 25), enforce_nonce: true };
    const post = (body: object) =>
      this.#call((rest) => rest.post(Routes.channelMessages(conversation), { body, files }));
    const voice = voiceNoteOf(file);
    const sent = voice
      ? await post({ ...nonce, ...voice }).catch((error: unknown) => {
          // Voice messages need a right of their own in a server.
          if (!(error instanceof ChannelFailure) || error.kind !== "refused") throw error;
          return post(nonce);
        })
      : await post(nonce);
    return { messageId: (sent as APIMessage).id };
  }

  async download(file: InboundFile, signal: AbortSignal): Promise<Uint8Array> {
    const ref = JSON.parse(file.ref) as FileRef;
    const api = new URL(this.#options.apiUrl);
    const fetchFrom = (url: string) =>
      fetchFile(url, {
        hosts: [
          "cdn.discordapp.com",
          "media.discordapp.net",
          ...(api.protocol === "http:" ? [api.host] : []),
        ],
        allowHttp: api.protocol === "http:",
        signal,
      });
    try {
      return await fetchFrom(ref.url);
    } catch (error) {
      const found = await this.#call((rest) => rest.get(Routes.channelMessage(ref.channel, ref.message)));
      const { attachments, message_snapshots = [] } = found as APIMessage;
      const all = [...attachments, ...message_snapshots.flatMap(({ message }) => message.attachments)];
      const now = all.find(({ id }) => id === ref.id)?.url;
      if (now === undefined || now === ref.url) throw error;
      return fetchFrom(now);
    }
  }

  async directConversation(userId: string): Promise<string | null> {
    const body = { recipient_id: userId };
    const channel = await this.#call((rest) => rest.post(Routes.userChannels(), { body }));
    return (channel as { id: string }).id;
  }

  async #call<T>(request: (rest: Client["rest"]) => Promise<T>): Promise<T> {
    try {
      return await request(this.#client.rest);
    } catch (error) {
      throw discordFailure(error);
    }
  }
}

/**
 * Options for the REST client: each request is tried once and never waits for a rate limit, because the toolkit decides
 * what is tried again.
 */
export function restOptions(apiUrl: string): Partial<RESTOptions> {
  return {
    api: apiUrl.replace(/\/+$/, ""),
    timeout: REQUEST_MS,
    retries: 0,
    rejectOnRateLimit: () => true,
  };
}

function openClient(apiUrl: string): Client {
  return new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      GatewayIntentBits.MessageContent,
    ],
    partials: [Partials.Channel],
    waitGuildTimeout: GUILDS_MS,
    ws: { buildStrategy: (manager) => new MortalSharding(manager) },
    rest: restOptions(apiUrl),
  });
}

/** A message in which nobody is notified by mentions, and links have no preview. */
function contentOf({ text, draft, buttons }: OutgoingPiece) {
  return {
    content: toDiscord(text) + (draft ? STILL_WRITING : ""),
    allowed_mentions: { parse: [] },
    flags: MessageFlags.SuppressEmbeds as number,
    ...(buttons && { components: buttons.length > 0 ? [rowOf(buttons)] : [] }),
  };
}

function rowOf(buttons: readonly ChannelButton[]) {
  return {
    type: ComponentType.ActionRow as const,
    components: buttons.map(({ label, data, style }) => ({
      type: ComponentType.Button as const,
      label,
      custom_id: data,
      style: style === "danger" ? (ButtonStyle.Danger as const) : (ButtonStyle.Primary as const),
    })),
  };
}

/** What makes a file a voice message: Discord takes Ogg alone, with its length, and without a text. */
function voiceNoteOf({ name, mimeType, voice }: ChannelAttachment): object | null {
  if (!voice || mimeType !== "audio/ogg" || voice.seconds === undefined) return null;
  // The drawn waves are a preview; nothing here reads the sound, so they are flat.
  const waveform = Buffer.alloc(1).toString("base64");
  const attachments = [{ id: "0", filename: name, duration_secs: voice.seconds, waveform }];
  return { flags: MessageFlags.IsVoiceMessage, attachments };
}
