export interface DiscordUser {
  id: string;
  username: string;
  global_name: string | null;
  discriminator: string;
  avatar: null;
  bot?: boolean;
}

export interface DiscordAttachment {
  id: string;
  filename: string;
  size: number;
  url: string;
  proxy_url: string;
  content_type: string;
  /** Of a voice message. */
  duration_secs?: number;
  waveform?: string;
}

export interface DiscordButton {
  type: 2;
  label: string;
  custom_id: string;
  style: number;
  disabled?: boolean;
}

export interface DiscordMessage {
  id: string;
  channel_id: string;
  author: DiscordUser;
  content: string;
  timestamp: string;
  edited_timestamp: string | null;
  tts: boolean;
  mention_everyone: boolean;
  mentions: DiscordUser[];
  mention_roles: string[];
  attachments: DiscordAttachment[];
  embeds: unknown[];
  pinned: boolean;
  type: number;
  nonce?: string;
  components?: { type: 1; components: DiscordButton[] }[];
  /** Type 1: forwarded from there. */
  message_reference?: { type?: number; message_id: string; channel_id: string };
  referenced_message?: DiscordMessage;
  webhook_id?: string;
  flags?: number;
  sticker_items?: { id: string; name: string; format_type: number }[];
  message_snapshots?: { message: Record<string, unknown> }[];
  reactions?: { count: number; me: boolean; emoji: { id: null; name: string } }[];
}

/** 0: text of a guild, 1: direct, 11: public thread. */
export type DiscordChannelType = 0 | 1 | 11;

export class DiscordChannel {
  readonly id: string;
  readonly type: DiscordChannelType;
  readonly guildId: string | null;
  readonly parentId: string | null;
  readonly name: string;
  /** In a direct channel: the person. */
  readonly recipient: DiscordUser | null;
  readonly messages = new Map<string, DiscordMessage>();
  /** How often the bot was seen typing. */
  typed = 0;
  /** Why the bot may not write here; null: it may. */
  shut: { status: number; code: number; message: string } | null = null;

  constructor(given: {
    id: string;
    type: DiscordChannelType;
    guildId?: string;
    parentId?: string;
    name?: string;
    recipient?: DiscordUser;
  }) {
    this.id = given.id;
    this.type = given.type;
    this.guildId = given.guildId ?? null;
    this.parentId = given.parentId ?? null;
    this.name = given.name ?? "general";
    this.recipient = given.recipient ?? null;
  }

  describe(): Record<string, unknown> {
    const { id, type, guildId, parentId, name, recipient } = this;
    if (recipient) return { id, type, recipients: [recipient], last_message_id: null };
    return {
      id,
      type,
      guild_id: guildId,
      name,
      position: 0,
      permission_overwrites: [],
      ...(parentId !== null && {
        parent_id: parentId,
        thread_metadata: {
          archived: false,
          auto_archive_duration: 1440,
          archive_timestamp: epoch,
          locked: false,
        },
        owner_id: "1",
        message_count: 0,
        member_count: 2,
      }),
    };
  }
}

const epoch = new Date(0).toISOString();

/** Rising ids that carry their time, as Discord's do. */
export class Snowflakes {
  #last = 0n;

  next(): string {
    const now = (BigInt(Date.now()) - 1_420_070_400_000n) << 22n;
    this.#last = now > this.#last ? now : this.#last + 1n;
    return String(this.#last);
  }
}

/** The people and channels that a bot can see: one guild, and direct channels. */
export class DiscordGuilds {
  /** Bots lack the right to send voice messages. */
  noVoiceMessages = false;
  readonly ids = new Snowflakes();
  readonly guildId = this.ids.next();
  /** The role that Discord makes for a bot when it is invited; it has the bot's name. */
  readonly botRoleId = this.ids.next();
  readonly otherRoleId = this.ids.next();
  readonly users = new Map<string, DiscordUser>();
  readonly channels = new Map<string, DiscordChannel>();
  readonly files = new Map<string, { name: string; type: string; bytes: Buffer; signature: number }>();

  addUser(username: string, bot = false): DiscordUser {
    const user: DiscordUser = {
      id: this.ids.next(),
      username,
      global_name: bot ? null : username,
      discriminator: "0",
      avatar: null,
      ...(bot && { bot: true }),
    };
    this.users.set(user.id, user);
    return user;
  }

  addChannel(name: string): DiscordChannel {
    return this.#keep(new DiscordChannel({ id: this.ids.next(), type: 0, guildId: this.guildId, name }));
  }

  addThread(parent: DiscordChannel, name: string): DiscordChannel {
    const place = { guildId: this.guildId, parentId: parent.id };
    return this.#keep(new DiscordChannel({ id: this.ids.next(), type: 11, name, ...place }));
  }

  direct(user: DiscordUser): DiscordChannel {
    const found = [...this.channels.values()].find(({ recipient }) => recipient?.id === user.id);
    return found ?? this.#keep(new DiscordChannel({ id: this.ids.next(), type: 1, recipient: user }));
  }

  post(
    channel: DiscordChannel,
    given: Partial<DiscordMessage> & Pick<DiscordMessage, "author" | "content">,
  ): DiscordMessage {
    const mentioned = [...given.content.matchAll(/<@!?(\d+)>/g)].flatMap(
      ([, id]) => this.users.get(id ?? "") ?? [],
    );
    const message: DiscordMessage = {
      id: this.ids.next(),
      channel_id: channel.id,
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: mentioned,
      mention_roles: [...given.content.matchAll(/<@&(\d+)>/g)].map(([, id]) => id ?? ""),
      attachments: [],
      embeds: [],
      pinned: false,
      type: given.message_reference && given.message_reference.type !== 1 ? 19 : 0,
      ...given,
    };
    channel.messages.set(message.id, message);
    return message;
  }

  /** The fields that a dispatch has more than the REST object. */
  dispatched(channel: DiscordChannel, message: DiscordMessage): Record<string, unknown> {
    return {
      ...structuredClone(message),
      channel_type: channel.type,
      ...(channel.guildId !== null && {
        guild_id: channel.guildId,
        member: { roles: [], nick: null, joined_at: epoch, deaf: false, mute: false, flags: 0 },
      }),
    };
  }

  describeGuild(bot: DiscordUser): Record<string, unknown> {
    const mine = [...this.channels.values()].filter(({ guildId }) => guildId === this.guildId);
    const everyone = { id: this.guildId, name: "@everyone", permissions: "309237763136", position: 0 };
    const looks = { color: 0, hoist: false, mentionable: true, flags: 0, permissions: "0" };
    return {
      id: this.guildId,
      name: "Example guild",
      owner_id: "1",
      unavailable: false,
      member_count: this.users.size,
      roles: [
        { ...everyone, color: 0, hoist: false, managed: false, mentionable: false, flags: 0 },
        {
          ...looks,
          id: this.botRoleId,
          name: bot.username,
          position: 1,
          managed: true,
          tags: { bot_id: bot.id },
        },
        { ...looks, id: this.otherRoleId, name: "makers", position: 2, managed: false },
      ],
      emojis: [],
      stickers: [],
      features: [],
      voice_states: [],
      presences: [],
      stage_instances: [],
      guild_scheduled_events: [],
      members: [{ user: bot, roles: [this.botRoleId], joined_at: epoch, deaf: false, mute: false, flags: 0 }],
      channels: mine.filter(({ type }) => type === 0).map((channel) => channel.describe()),
      threads: mine.filter(({ type }) => type === 11).map((channel) => channel.describe()),
    };
  }

  #keep(channel: DiscordChannel): DiscordChannel {
    this.channels.set(channel.id, channel);
    return channel;
  }
}
