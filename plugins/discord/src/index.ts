import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { startDiscord } from "./channel.ts";
import { configSchema, settingsSchema } from "./settings.ts";
import { discordSetup } from "./setup.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "discord",
  displayName: "Discord",
  description: "Talks with people on Discord through a bot of yours.",
  configSchema: schemaOf(configSchema),
  parseConfig: parserOf(configSchema),
  permissions: { network: true, files: "none", subprocess: false },
  helpUrl: "https://discord.com/developers/applications",
  channel: {
    secretKeys: [
      {
        key: "token",
        label: "Bot token",
        help: "In the developer portal: your application, Bot, Reset Token.",
        url: "https://discord.com/developers/applications",
      },
    ],
    async start(config, ctx) {
      const settings = settingsSchema.parse(config ?? {});
      return settings.token === "" ? undefined : startDiscord(settings, ctx);
    },
    setup: discordSetup(),
  },
});
