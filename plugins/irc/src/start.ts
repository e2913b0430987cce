import type { ChannelHandle, PluginChannelContext } from "@patchbay/plugin-sdk";
import { type ChannelClock, chatSayer, runChannel } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import de from "../locales/de.json" with { type: "json" };
import type { IrcChannel } from "./settings.ts";
import { LINE_BYTES } from "./text/formatting.ts";
import { toIrc } from "./text/markdown.ts";
import { inParts } from "./text/more.ts";
import { IrcTransport } from "./transport.ts";
import { conversationOf } from "./wire/names.ts";

/** Runs the channel with these settings until it is stopped. */
export async function startIrc(
  settings: IrcChannel,
  ctx: PluginChannelContext,
  clock: ChannelClock,
): Promise<ChannelHandle> {
  const say = chatSayer(ctx.agent, { de });
  const handle = await runChannel(
    {
      name: "IRC",
      transport: new IrcTransport(settings, clock),
      clock,
      manners: mannersOf(settings),
      secrets: [settings.password, settings.serverPassword],
      access: accessOf(settings, {
        groups: settings.channels.map((channel) => channel.split(/\s+/)[0] ?? ""),
        normalise: conversationOf,
      }),
    },
    { ...ctx, agent: inParts(ctx.agent, settings.maxLines, LINE_BYTES, say) },
  );
  const { outbound } = handle;
  return {
    ...handle,
    ...(outbound && {
      outbound: {
        ...outbound,
        send: (message) => outbound.send({ ...message, text: toIrc(message.text) }),
      },
    }),
  };
}
