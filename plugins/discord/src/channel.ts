import type { ChannelHandle, PluginChannelContext } from "@patchbay/plugin-sdk";
import { type ChannelClock, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import type { DiscordSettings } from "./settings.ts";
import { DiscordTransport } from "./transport.ts";

/** Runs the bot of these settings for an agent. */
export function startDiscord(
  settings: DiscordSettings,
  ctx: PluginChannelContext,
  clock: ChannelClock = systemClock(),
): Promise<ChannelHandle> {
  const { token, apiUrl, owners, users, everyone, strangers, groups, groupsOnlyListed, listenInGroups } =
    settings;
  const { joinSeconds, botExchanges, marks } = settings;
  return runChannel(
    {
      name: "Discord",
      transport: new DiscordTransport({ token, apiUrl, storage: ctx.storage, clock }),
      access: { owners, users, everyone, strangers, groups, groupsOnlyListed, listenInGroups },
      manners: { joinMs: joinSeconds * 1_000, botExchanges, marks },
      secrets: [token],
      clock,
    },
    ctx,
  );
}
