import type { DiscordChannel, DiscordMessage, DiscordUser } from "./guilds.ts";
import { storeFile } from "./routes.ts";
import type { DiscordServer } from "./server.ts";

interface Said {
  /** Where; absent: the direct channel with the bot. */
  channel?: DiscordChannel;
  replyTo?: DiscordMessage;
  files?: { name: string; type: string; bytes: Buffer }[];
  /** The file was spoken, and is so long. */
  voiceSeconds?: number;
  /** Written through a webhook of the guild. */
  webhook?: boolean;
  /** What is forwarded. */
  forwards?: DiscordMessage;
  stickers?: string[];
}

/** A person who uses Discord. */
export class DiscordPerson {
  readonly user: DiscordUser;
  readonly #server: DiscordServer;

  constructor(server: DiscordServer, name: string, bot = false) {
    this.#server = server;
    this.user = server.guilds.addUser(name, bot);
  }

  get direct(): DiscordChannel {
    return this.#server.guilds.direct(this.user);
  }

  says(content: string, more: Said = {}): DiscordMessage {
    const { guilds, gateway, bot, messageContent, origin } = this.#server;
    const channel = more.channel ?? this.direct;
    const attachments = (more.files ?? []).map((file) => storeFile(guilds, origin, file));
    const message = guilds.post(channel, {
      author: this.user,
      content,
      attachments: attachments.map((file) => ({
        ...file,
        ...(more.voiceSeconds !== undefined && { duration_secs: more.voiceSeconds, waveform: "AA==" }),
      })),
      ...(more.voiceSeconds !== undefined && { flags: 8192 }),
      ...(more.webhook && { webhook_id: guilds.ids.next() }),
      ...(more.replyTo && {
        message_reference: { message_id: more.replyTo.id, channel_id: channel.id },
        referenced_message: more.replyTo,
      }),
    });
    if (more.stickers) {
      message.sticker_items = more.stickers.map((name) => ({ id: guilds.ids.next(), name, format_type: 1 }));
    }
    if (more.forwards) {
      const { content: text, attachments: files, mentions, mention_roles, embeds, timestamp } = more.forwards;
      const copy = { content: text, attachments: files, mentions, mention_roles, embeds, timestamp };
      const { id: message_id, channel_id } = more.forwards;
      message.message_reference = { type: 1, message_id, channel_id };
      message.message_snapshots = [{ message: { ...copy, edited_timestamp: null, flags: 0, type: 0 } }];
    }
    const readable = messageContent || channel.type === 1 || message.mentions.some(({ id }) => id === bot.id);
    const sent = readable ? message : { ...message, content: "", attachments: [] };
    gateway.dispatch("MESSAGE_CREATE", guilds.dispatched(channel, sent));
    return message;
  }

  edits(channel: DiscordChannel, message: DiscordMessage, content: string): void {
    Object.assign(message, { content, edited_timestamp: new Date().toISOString() });
    const { guilds, gateway } = this.#server;
    gateway.dispatch("MESSAGE_UPDATE", guilds.dispatched(channel, message));
  }

  reacts(channel: DiscordChannel, message: DiscordMessage, emoji: string): void {
    this.#server.gateway.dispatch("MESSAGE_REACTION_ADD", {
      user_id: this.user.id,
      channel_id: channel.id,
      message_id: message.id,
      emoji: { id: null, name: emoji },
      ...(channel.guildId !== null && { guild_id: channel.guildId }),
      type: 0,
      burst: false,
    });
  }

  /** Presses a button by its text. Returns the id of the interaction. */
  presses(channel: DiscordChannel, message: DiscordMessage, label: string): string {
    const button = message.components?.flatMap((row) => row.components).find((one) => one.label === label);
    if (!button) throw new Error(`There is no button "${label}" on "${message.content}".`);
    return this.#interact(channel, {
      type: 3,
      data: { custom_id: button.custom_id, component_type: 2 },
      message,
    });
  }

  /** Types a slash command of the bot. Returns the id of the interaction. */
  commands(name: string, channel = this.direct): string {
    if (!this.#server.interactions.commands.some((command) => command.name === name)) {
      throw new Error(`The bot has no command "/${name}".`);
    }
    return this.#interact(channel, { type: 2, data: { id: "1", name, type: 1 } });
  }

  /** The bot's messages in a channel as they are now, in order. */
  sees(channel: DiscordChannel = this.direct): DiscordMessage[] {
    return [...channel.messages.values()].filter(({ author }) => author.id === this.#server.bot.id);
  }

  #interact(channel: DiscordChannel, what: Record<string, unknown>): string {
    const { guilds, interactions, gateway, bot } = this.#server;
    const id = guilds.ids.next();
    gateway.dispatch("INTERACTION_CREATE", {
      id,
      application_id: bot.id,
      token: interactions.open(id),
      version: 1,
      channel_id: channel.id,
      channel: channel.describe(),
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10 * 1024 * 1024,
      app_permissions: "309237763136",
      locale: "en-US",
      ...(channel.guildId === null
        ? { user: this.user, context: 1 }
        : {
            guild_id: channel.guildId,
            guild_locale: "en-US",
            context: 0,
            member: {
              user: this.user,
              roles: [],
              joined_at: new Date(0).toISOString(),
              deaf: false,
              mute: false,
              permissions: "309237763136",
              flags: 0,
            },
          }),
      ...what,
    });
    return id;
  }
}
