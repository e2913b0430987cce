import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { systemClock } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { channelSchema, type IrcChannel, settingsSchema } from "./settings.ts";
import { setup } from "./setup.ts";
import { startIrc } from "./start.ts";

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
    start(config, ctx) {
      const settings = config as IrcChannel;
      return startIrc(settings, ctx, systemClock(settings.timeScale));
    },
  },
});
