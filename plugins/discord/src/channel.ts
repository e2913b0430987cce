import type { ChannelHandle, PluginChannelContext } from "@patchbay/plugin-sdk";
import { type ChannelClock, chatSayer, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import de from "../locales/de.json" with { type: "json" };
import type { DiscordSettings } from "./settings.ts";
import { DiscordTransport } from "./transport.ts";

/** Runs the bot of these settings for an agent. */
export function startDiscord(
  settings: DiscordSettings,
  ctx: PluginChannelContext,
  clock: ChannelClock = systemClock(),
): Promise<ChannelHandle> {
  const { token, apiUrl } = settings;
  return runChannel(
    {
      name: "Discord",
      transport: new DiscordTransport({ token, apiUrl, storage: ctx.storage, clock }),
      access: accessOf(settings),
      manners: mannersOf(settings),
      secrets: [token],
      clock,
      say: chatSayer(ctx.agent, { de }),
    },
    ctx,
  );
}
