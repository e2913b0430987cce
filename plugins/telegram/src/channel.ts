import type { ChannelHandle, PluginChannelContext } from "@patchbay/plugin-sdk";
import { type ChannelClock, chatSayer, runChannel } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import de from "../locales/de.json" with { type: "json" };
import type { TelegramSettings } from "./settings.ts";
import { TelegramTransport } from "./transport.ts";
import { WebhookReceiver } from "./webhook.ts";

/** Runs the bot of these settings for an agent. */
export async function startTelegram(
  settings: TelegramSettings,
  ctx: PluginChannelContext,
  clock?: ChannelClock,
): Promise<ChannelHandle> {
  const { token, apiRoot, webhookUrl, groups } = settings;
  const webhook = webhookUrl === "" ? undefined : new WebhookReceiver(webhookUrl, ctx.agentId, token);
  const say = chatSayer(ctx.agent, { de });
  const transport = new TelegramTransport({
    token,
    apiRoot,
    storage: ctx.storage,
    groups,
    say,
    ...(webhook && { webhook }),
    onBot: ({ hearsEverything }) =>
      ctx.reportRuntimeState({
        mode: webhook ? "webhook" : "polling",
        groups: hearsEverything ? "hears everything" : "hears mentions, replies and commands",
      }),
    onOtherGroups: (others) =>
      ctx.reportRuntimeState({
        otherGroups:
          others.length === 0 ? null : others.map(({ id, title }) => `${title} (${id})`).join(", "),
      }),
  });
  return runChannel(
    {
      name: "Telegram",
      transport,
      say,
      access: accessOf(settings),
      manners: mannersOf(settings),
      secrets: [token],
      ...(webhook && { handleWebhook: webhook.handle }),
      ...(clock && { clock }),
    },
    ctx,
  );
}
