import { ChannelFailure, type ChannelPort, type InboundMessage } from "@patchbay/plugin-sdk/channel";
import {
  type APIChannel,
  type ButtonInteraction,
  ChannelType,
  type ChatInputCommandInteraction,
  type Client,
  Events,
  GatewayDispatchEvents,
  MessageFlags,
  Routes,
} from "discord.js";
import type { CatchUp } from "./catch-up.ts";
import { type DiscordMessage, inboundOf, type Surroundings } from "./receive.ts";

/** Passes on what a client hears, in the order of each channel. */
export class Reader {
  readonly #client: Client;
  readonly #port: ChannelPort;
  readonly #catchUp: CatchUp;
  /** The last message of each channel that is being taken in. */
  readonly #tails = new Map<string, Promise<void>>();
  /** Channel id → the channel that an allow-list names for it (a thread's parent); null for a direct channel. */
  readonly #groups = new Map<string, string | null>();
  readonly #closed: AbortSignal;
  /** Channels in which a message failed because the session was closed. */
  readonly #unread = new Set<string>();

  /** @param closed aborted when the session is closed */
  constructor(client: Client, port: ChannelPort, catchUp: CatchUp, closed: AbortSignal) {
    this.#closed = closed;
    this.#client = client;
    this.#port = port;
    this.#catchUp = catchUp;
    client.ws.on(GatewayDispatchEvents.Ready, () => this.#catchUpAll());
    // The raw event is read: the library's own objects leave out messages of channels that it does not know yet.
    client.ws.on(GatewayDispatchEvents.MessageCreate, (message: DiscordMessage) => this.#heard(message));
    client.ws.on(GatewayDispatchEvents.MessageUpdate, (message: DiscordMessage) => this.#changed(message));
    client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isButton()) void this.#press(interaction).catch(() => {});
      else if (interaction.isChatInputCommand()) void this.#command(interaction).catch(() => {});
    });
  }

  /** Reads the messages that were missed, before anything that the new session brings in the same channel. */
  #catchUpAll(): void {
    for (const [channel, last] of this.#catchUp.marks()) {
      this.#inOrder(channel, async () => {
        const missed = this.#catchUp.missed(channel, last, this.#client.rest, this.#closed);
        for await (const message of missed) await this.#take(message);
      });
    }
  }

  #heard(message: DiscordMessage): void {
    this.#inOrder(message.channel_id, () => this.#take(message));
  }

  /** A message is also told as changed when the card of a link is there; then it was not edited. */
  #changed(message: DiscordMessage): void {
    const { edited_timestamp, content, author, channel_id } = message;
    if (!edited_timestamp || content === undefined || author === undefined) return;
    this.#inOrder(channel_id, () => this.#say(message, true));
  }

  async #take(message: DiscordMessage): Promise<void> {
    // Taken in now, it would count as the newest that was seen, and the one before it would never be read.
    if (this.#unread.has(message.channel_id)) return;
    await this.#say(message, false);
    this.#catchUp.saw(message);
  }

  async #say(message: DiscordMessage, edited: boolean): Promise<void> {
    const botId = this.#client.user?.id ?? "";
    const known = message.guild_id === undefined ? undefined : message.channel_id;
    const group = await this.#groupOf(message.channel_id, known);
    const roles = this.#rolesOf(message, botId);
    await this.#port.message(inboundOf(message, { botId, group, edited, ...(roles && { roles }) }));
  }

  #rolesOf({ guild_id, channel_id }: DiscordMessage, botId: string): Surroundings["roles"] {
    const { guilds, channels } = this.#client;
    const channel = channels.cache.get(channel_id);
    // Messages that are read from the history do not say which guild they belong to.
    const guild =
      guilds.cache.get(guild_id ?? "") ?? (channel && "guild" in channel ? channel.guild : undefined);
    return guild?.roles.cache.mapValues(({ name, tags }) => ({ name, own: tags?.botId === botId }));
  }

  async #command(interaction: ChatInputCommandInteraction): Promise<void> {
    const text = `/${interaction.commandName}`;
    await interaction.reply({ content: text, flags: MessageFlags.Ephemeral });
    const { channelId, user } = interaction;
    const group = await this.#groupOf(channelId, interaction.guildId === null ? undefined : channelId);
    const said: InboundMessage = {
      conversation: channelId,
      id: interaction.id,
      from: { id: user.id, name: user.globalName ?? user.username },
      text,
      ...(group !== null && { group: { id: group, addressed: true } }),
    };
    this.#inOrder(channelId, () => this.#port.message(said));
  }

  async #press(interaction: ButtonInteraction): Promise<void> {
    // Discord must get this answer within three seconds, so it is sent before the work.
    const acknowledged = interaction.deferUpdate();
    const content = await this.#port.press({
      conversation: interaction.channelId,
      messageId: interaction.message.id,
      userId: interaction.user.id,
      data: interaction.customId,
    });
    await acknowledged;
    await interaction.followUp({ content, flags: MessageFlags.Ephemeral });
  }

  #inOrder(channel: string, work: () => Promise<void>): void {
    const before = this.#tails.get(channel) ?? Promise.resolve();
    const now = before.then(work).catch(() => {
      // It is read again when the next session catches up.
      if (this.#closed.aborted) this.#unread.add(channel);
    });
    this.#tails.set(channel, now);
    void now.then(() => {
      if (this.#tails.get(channel) === now) this.#tails.delete(channel);
    });
  }

  /**
   * The channel that an allow-list names; null for a direct channel. Discord is asked again while it fails.
   *
   * @param known what to answer when Discord refuses to tell: the channel itself, if it certainly belongs to a guild
   */
  async #groupOf(channel: string, known: string | undefined): Promise<string | null> {
    const cached = this.#client.channels.cache.get(channel);
    if (cached) return cached.isDMBased() ? null : cached.isThread() ? (cached.parentId ?? channel) : channel;
    const before = this.#groups.get(channel);
    if (before !== undefined) return before;
    const ask = () => this.#client.rest.get(Routes.channel(channel));
    const found = (await this.#catchUp.answered(ask, this.#closed)) as APIChannel | null;
    if (found === null) {
      // Without an answer the channel might be one in which nobody may be answered, so the message fails.
      if (known === undefined)
        throw new ChannelFailure("refused", "Discord does not tell what channel that is.");
      return known;
    }
    const direct = found.type === ChannelType.DM || found.type === ChannelType.GroupDM;
    const isThread = "thread_metadata" in found && "parent_id" in found;
    const group = direct ? null : isThread ? (found.parent_id ?? channel) : channel;
    this.#groups.set(channel, group);
    return group;
  }
}
