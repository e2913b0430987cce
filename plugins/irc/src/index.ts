import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { chatSayer, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import { z } from "zod";
import de from "../locales/de.json" with { type: "json" };
import { channelSchema, type IrcChannel, settingsSchema } from "./settings.ts";
import { setup } from "./setup.ts";
import { LINE_BYTES } from "./text/formatting.ts";
import { toIrc } from "./text/markdown.ts";
import { inParts } from "./text/more.ts";
import { IrcTransport } from "./transport.ts";
import { conversationOf } from "./wire/names.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "irc",
  displayName: "IRC",
  description: "Talks with people on an IRC network.",
  configSchema: schemaOf(z.object({ channel: settingsSchema })),
  parseConfig: parserOf(z.object({ channel: channelSchema })),
  permissions: { network: true, files: "none", subprocess: false },
  channel: {
    secretKeys: [
      { key: "password", label: "Password of the account", optional: true },
      { key: "serverPassword", label: "Server password", optional: true },
    ],
    setup,
    async start(config, ctx) {
      const settings = config as IrcChannel;
      const clock = systemClock(settings.timeScale);
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
    },
  },
});
