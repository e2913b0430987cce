import type { ChannelHandle, PluginChannelContext } from "@patchbay/plugin-sdk";
import { type ChannelClock, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import type { SlackSettings } from "./settings.ts";
import { SlackTransport } from "./transport.ts";

/** Runs the app of these settings for an agent. */
export function startSlack(
  settings: SlackSettings,
  ctx: PluginChannelContext,
  clock: ChannelClock = systemClock(),
): Promise<ChannelHandle> {
  const {
    botToken,
    appToken,
    slackApiUrl,
    owners,
    users,
    everyone,
    strangers,
    groups,
    groupsOnlyListed,
    listenInGroups,
    followThreads,
    joinSeconds,
    botExchanges,
    marks,
  } = settings;
  return runChannel(
    {
      name: "Slack",
      transport: new SlackTransport({
        ...{ botToken, appToken, slackApiUrl, followThreads },
        storage: ctx.storage,
        clock,
      }),
      access: { owners, users, everyone, strangers, groups, groupsOnlyListed, listenInGroups },
      manners: { joinMs: joinSeconds * 1_000, botExchanges, marks },
      secrets: [botToken, appToken],
      clock,
    },
    ctx,
  );
}
