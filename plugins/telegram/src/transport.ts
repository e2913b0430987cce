import type { ChannelAttachment, PluginStorage } from "@patchbay/plugin-sdk";
import {
  type ChannelButton,
  ChannelFailure,
  type ChannelPort,
  type ChannelTransport,
  fetchFile,
  type InboundFile,
  type MessageMark,
  type OutgoingPiece,
  type SentPiece,
} from "@patchbay/plugin-sdk/channel";
import type { InlineKeyboardMarkup, Update } from "grammy/types";
import { type Api, InputFile } from "grammy/web";
import { openApi, signalOf } from "./bot-api.ts";
import { ChatMoves } from "./chat-moves.ts";
import {
  isMarkupError,
  isPhotoError,
  isUnchanged,
  isVoiceForbidden,
  movedTo,
  telegramFailure,
} from "./errors.ts";
import { toHtml } from "./html.ts";
import { fillMenu } from "./menu.ts";
import { fitsAsPhoto } from "./photo.ts";
import { Polling } from "./polling.ts";
import { placeOf } from "./receive.ts";
import { SeenGroups } from "./seen-groups.ts";
import type { UpdateParts } from "./updates.ts";
import type { WebhookReceiver } from "./webhook.ts";

export interface TransportOptions {
  token: string;
  apiRoot: string;
  storage: PluginStorage;
  /** Absent: the bot fetches its updates. */
  webhook?: WebhookReceiver;
  /** Ids of groups in which the bot answers. */
  groups: readonly string[];
  /** A sentence in the language of the chats. */
  say(sentence: string): string;
  /** What Telegram says of the bot, for the screen. */
  onBot(facts: { hearsEverything: boolean }): void;
  /** The groups that the bot was seen in and does not answer in, each time they are others. */
  onOtherGroups(groups: { id: string; title: string }[]): void;
}

/** Seconds after which a request counts as lost; longer than a held `getUpdates`. */
// Limits of the Bot API, in bytes: a file sent, a file received.
const REQUEST_SECONDS = 60;
const UPLOAD_LIMIT = 50 * 1024 * 1024;
const DOWNLOAD_LIMIT = 20 * 1024 * 1024;

const reactions = { seen: "👀", working: "✍" } as const satisfies Record<MessageMark, string>;

/** The Bot API as a transport. A conversation is the chat's id, with a topic as `<chat>:<topic>`. */
export class TelegramTransport implements ChannelTransport {
  readonly limits: ChannelTransport["limits"] = {
    piece: 4000,
    unit: "chars",
    // A group allows about 20 messages and edits a minute. Ids of groups are negative.
    editEveryMs: (conversation) => (conversation.startsWith("-") ? 3_500 : 1_500),
    typingEveryMs: 4_000,
    buttons: true,
  };
  readonly #options: TransportOptions;
  readonly #api: Api;
  readonly #polling = new Polling();
  readonly #seen = new SeenGroups();
  #moves: Promise<ChatMoves> | null = null;
  #stopPolling: (() => Promise<void>) | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#api = openApi(options.token, options.apiRoot, REQUEST_SECONDS);
  }

  async connect(port: ChannelPort, signal: AbortSignal): Promise<{ account: string }> {
    const { webhook, onBot } = this.#options;
    try {
      const bot = await this.#api.getMe(signalOf(signal));
      onBot({ hearsEverything: bot.can_read_all_group_messages });
      const moves = await this.#knownMoves();
      const { groups, say } = this.#options;
      const onUpdate = (update: Update) => this.#seen.take(update) && this.#tellGroups(moves);
      const parts: UpdateParts = { api: this.#api, bot, moves, groups, port, say, onUpdate };
      if (webhook) await webhook.open(this.#api, parts);
      else {
        await this.#api.deleteWebhook({}, signalOf(signal));
        this.#poll(parts, signal);
      }
      void fillMenu(this.#api);
      return { account: `@${bot.username}` };
    } catch (error) {
      throw telegramFailure(error);
    }
  }

  async close(): Promise<void> {
    this.#options.webhook?.close();
    const stop = this.#stopPolling;
    this.#stopPolling = null;
    await stop?.();
  }

  async ping(): Promise<void> {
    const { webhook } = this.#options;
    try {
      // When updates are fetched by polling, the poll itself shows that the connection works.
      if (webhook) await webhook.check(this.#api);
    } catch (error) {
      throw telegramFailure(error);
    }
  }

  async send(conversation: string, piece: OutgoingPiece): Promise<SentPiece> {
    const sent = await this.#inChat(conversation, (chat, topic) =>
      this.#rendered(piece, (text, markup) =>
        this.#api.sendMessage(chat, text, {
          ...markup,
          ...(topic !== undefined && { message_thread_id: topic }),
          ...(piece.replyTo !== undefined && {
            reply_parameters: { message_id: Number(piece.replyTo), allow_sending_without_reply: true },
          }),
          ...(piece.buttons?.length && { reply_markup: keyboard(piece.buttons) }),
          link_preview_options: { is_disabled: true },
        }),
      ),
    );
    return { messageId: String(sent.message_id) };
  }

  async edit(conversation: string, messageId: string, piece: OutgoingPiece): Promise<void> {
    await this.#inChat(conversation, async (chat) => {
      try {
        await this.#rendered(piece, (text, markup) =>
          this.#api.editMessageText(chat, Number(messageId), text, {
            ...markup,
            ...(piece.buttons?.length && { reply_markup: keyboard(piece.buttons) }),
            link_preview_options: { is_disabled: true },
          }),
        );
      } catch (error) {
        if (!isUnchanged(error)) throw error;
      }
    });
  }

  async remove(conversation: string, messageId: string): Promise<void> {
    await this.#inChat(conversation, (chat) => this.#api.deleteMessage(chat, Number(messageId)));
  }

  async mark(conversation: string, messageId: string, mark: MessageMark | null): Promise<void> {
    await this.#inChat(conversation, (chat) =>
      this.#api.setMessageReaction(
        chat,
        Number(messageId),
        mark === null ? [] : [{ type: "emoji", emoji: reactions[mark] }],
      ),
    );
  }

  async typing(conversation: string, on: boolean): Promise<void> {
    if (!on) return;
    await this.#inChat(conversation, (chat, topic) =>
      this.#api.sendChatAction(chat, "typing", topic === undefined ? {} : { message_thread_id: topic }),
    );
  }

  async sendFile(conversation: string, file: ChannelAttachment): Promise<SentPiece> {
    const bytes = Buffer.from(file.data, "base64");
    if (bytes.length > UPLOAD_LIMIT)
      throw new ChannelFailure("refused", "larger than the 50 MB that Telegram takes");
    const input = () => new InputFile(new Uint8Array(bytes), file.name);
    const isPhoto = fitsAsPhoto(file.mimeType, bytes);
    const sent = await this.#inChat<{ message_id: number }>(conversation, (chat, topic) => {
      const place = topic === undefined ? {} : { message_thread_id: topic };
      const asDocument = () => this.#api.sendDocument(chat, input(), place);
      if (file.voice) return this.#speak(file, chat, input, place, asDocument);
      if (!isPhoto) return asDocument();
      return this.#api.sendPhoto(chat, input(), place).catch((error: unknown) => {
        if (!isPhotoError(error)) throw error;
        return asDocument();
      });
    });
    return { messageId: String(sent.message_id) };
  }

  /** Sends a voice note where Telegram takes the format; people who allow none from bots get the file. */
  #speak(
    { mimeType, voice }: ChannelAttachment,
    chat: string,
    input: () => InputFile,
    place: { message_thread_id?: number },
    asDocument: () => Promise<{ message_id: number }>,
  ): Promise<{ message_id: number }> {
    const length = voice?.seconds === undefined ? {} : { duration: Math.round(voice.seconds) };
    const options = { ...place, ...length };
    if (mimeType === "audio/mpeg" || mimeType === "audio/mp4")
      return this.#api.sendAudio(chat, input(), options);
    if (mimeType !== "audio/ogg") return asDocument();
    return this.#api.sendVoice(chat, input(), options).catch((error: unknown) => {
      if (!isVoiceForbidden(error)) throw error;
      return asDocument();
    });
  }

  async download(file: InboundFile, signal: AbortSignal): Promise<Uint8Array> {
    if ((file.size ?? 0) > DOWNLOAD_LIMIT) {
      throw new ChannelFailure("refused", "larger than the 20 MB that Telegram hands to bots");
    }
    const { token, apiRoot } = this.#options;
    try {
      const { file_path } = await this.#api.getFile(file.ref, signalOf(signal));
      const root = new URL(apiRoot);
      const address = `${apiRoot.replace(/\/+$/, "")}/file/bot${token}/${file_path}`;
      return await fetchFile(address, { hosts: [root.host], allowHttp: root.protocol === "http:", signal });
    } catch (error) {
      throw telegramFailure(error);
    }
  }

  async directConversation(userId: string): Promise<string | null> {
    return userId;
  }

  #tellGroups(moves: ChatMoves): void {
    const known = new Set(this.#options.groups.map((id) => moves.original(id)));
    this.#options.onOtherGroups(this.#seen.list.filter(({ id }) => !known.has(moves.original(id))));
  }

  #poll(parts: UpdateParts, signal: AbortSignal): void {
    const stop = new AbortController();
    const running = this.#polling.run(this.#api, parts, AbortSignal.any([signal, stop.signal]));
    this.#stopPolling = async () => {
      stop.abort();
      await running;
      await this.#polling.confirm(this.#api);
    };
  }

  /** Runs a call for the chat of a conversation, once more when the chat has moved. */
  async #inChat<T>(conversation: string, call: (chat: string, topic?: number) => Promise<T>): Promise<T> {
    const moves = await this.#knownMoves();
    const { chat, topic } = placeOf(conversation, moves);
    try {
      return await call(chat, topic);
    } catch (error) {
      const to = movedTo(error);
      if (to === undefined) throw telegramFailure(error);
      await moves.moved(chat, String(to));
      return call(String(to), topic).catch((again) => Promise.reject(telegramFailure(again)));
    }
  }

  #knownMoves(): Promise<ChatMoves> {
    this.#moves ??= ChatMoves.open(this.#options.storage);
    return this.#moves;
  }

  /** With formatting; without, when Telegram cannot read it. */
  async #rendered<T>(
    { text, draft }: OutgoingPiece,
    call: (text: string, markup: { parse_mode?: "HTML" }) => Promise<T>,
  ): Promise<T> {
    const mark = draft ? " …" : "";
    try {
      return await call(toHtml(text) + mark, { parse_mode: "HTML" });
    } catch (error) {
      if (!isMarkupError(error)) throw error;
      return call(text + mark, {});
    }
  }
}

function keyboard(buttons: readonly ChannelButton[]): InlineKeyboardMarkup {
  return { inline_keyboard: [buttons.map(({ label, data }) => ({ text: label, callback_data: data }))] };
}
