import {
  type APIChannel,
  ChannelType,
  PermissionFlagsBits,
  type REST,
  type RESTAPIPartialCurrentUserGuild,
  Routes,
} from "discord.js";

/** A server that the bot is on. */
export interface Guild {
  id: string;
  name: string;
  /** The rights that the bot needs and does not have there, as lines of a list. */
  lacks: string[];
}

export interface ListedChannel {
  id: string;
  name: string;
  /** The name of its server. */
  guild: string;
}

/** Servers that are looked at, and channels that are shown, at most. */
const MOST_GUILDS = 20;
const MOST_CHANNELS = 150;

/** What the bot needs, in the words of Discord's settings, as lines of a list. */
const needed: readonly [flag: bigint, name: string][] = [
  [PermissionFlagsBits.ViewChannel, "– View Channels"],
  [PermissionFlagsBits.SendMessages, "– Send Messages"],
  [PermissionFlagsBits.SendMessagesInThreads, "– Send Messages in Threads"],
  [PermissionFlagsBits.ReadMessageHistory, "– Read Message History"],
  [PermissionFlagsBits.EmbedLinks, "– Embed Links"],
  [PermissionFlagsBits.AttachFiles, "– Attach Files"],
  [PermissionFlagsBits.AddReactions, "– Add Reactions"],
];

/** The servers that the bot was invited to. @throws what the library throws */
export async function guildsOf(rest: REST): Promise<Guild[]> {
  const found = (await rest.get(Routes.userGuilds())) as RESTAPIPartialCurrentUserGuild[];
  return found.slice(0, MOST_GUILDS).map(({ id, name, permissions }) => {
    const has = BigInt(permissions);
    const all = (has & PermissionFlagsBits.Administrator) !== 0n;
    return { id, name, lacks: all ? [] : needed.flatMap(([flag, word]) => (has & flag ? [] : [word])) };
  });
}

/** The text channels of these servers, in the order of Discord's list. Servers that do not tell are left out. */
export async function channelsOf(rest: REST, guilds: readonly Guild[]): Promise<ListedChannel[]> {
  const lists = await Promise.all(
    guilds.map(async ({ id, name: guild }) => {
      const channels = (await rest.get(Routes.guildChannels(id)).catch(() => [])) as APIChannel[];
      return channels
        .filter(({ type }) => type === ChannelType.GuildText || type === ChannelType.GuildForum)
        .map((channel) => ({ id: channel.id, name: channel.name ?? channel.id, guild }));
    }),
  );
  return lists.flat().slice(0, MOST_CHANNELS);
}
