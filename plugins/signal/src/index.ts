import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { chatSayer, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import { z } from "zod";
import de from "../locales/de.json" with { type: "json" };
import { nearby } from "./nearby.ts";
import { channelSchema, type SignalChannel, settingsSchema } from "./settings.ts";
import { linkSetup } from "./setup.ts";
import { SignalTransport } from "./transport.ts";
import { normalId } from "./wire.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "signal",
  displayName: "Signal",
  description: "Talks with people on Signal through a signal-cli server of yours.",
  configSchema: schemaOf(z.object({ channel: settingsSchema })),
  parseConfig: parserOf(z.object({ channel: channelSchema })),
  // A server elsewhere is typed by the person, and may be reached for that.
  permissions: { network: nearby.map((address) => new URL(address).host), files: "none", subprocess: false },
  helpUrl: "https://github.com/bbernhard/signal-cli-rest-api",
  channel: {
    setup: linkSetup({ clock: systemClock() }),
    async start(config, ctx) {
      const settings = config as SignalChannel;
      const clock = systemClock(settings.timeScale);
      return runChannel(
        {
          name: "Signal",
          transport: new SignalTransport(settings, clock, ctx.storage, ctx.logger),
          clock,
          say: chatSayer(ctx.agent, { de }),
          // Whether messages are shown as read does not depend on the setting.
          manners: { ...mannersOf(settings), marks: true },
          access: accessOf(settings, { normalise: normalId }),
        },
        ctx,
      );
    },
  },
});
