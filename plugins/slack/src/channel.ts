import type { ChannelHandle, PluginChannelContext } from "@patchbay/plugin-sdk";
import { type ChannelClock, chatSayer, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import de from "../locales/de.json" with { type: "json" };
import type { SlackSettings } from "./settings.ts";
import { SlackTransport } from "./transport.ts";

/** Runs the app of these settings for an agent. */
export function startSlack(
  settings: SlackSettings,
  ctx: PluginChannelContext,
  clock: ChannelClock = systemClock(),
): Promise<ChannelHandle> {
  const { botToken, appToken, slackApiUrl, followThreads } = settings;
  const say = chatSayer(ctx.agent, { de });
  return runChannel(
    {
      name: "Slack",
      transport: new SlackTransport({
        ...{ botToken, appToken, slackApiUrl, followThreads },
        storage: ctx.storage,
        clock,
        say,
      }),
      access: accessOf(settings),
      manners: mannersOf(settings),
      secrets: [botToken, appToken],
      clock,
      say,
    },
    ctx,
  );
}
