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
  } = settings;
  return runChannel(
    {
      name: "Slack",
      transport: new SlackTransport({ botToken, appToken, slackApiUrl, storage: ctx.storage, clock }),
      access: { owners, users, everyone, strangers, groups, groupsOnlyListed, listenInGroups },
      secrets: [botToken, appToken],
      clock,
    },
    ctx,
  );
}
