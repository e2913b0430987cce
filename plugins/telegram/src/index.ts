import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { startTelegram } from "./channel.ts";
import { configSchema, settingsSchema } from "./settings.ts";
import { telegramSetup } from "./setup.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "telegram",
  displayName: "Telegram",
  description: "Talks with people on Telegram through a bot of yours.",
  configSchema: schemaOf(configSchema),
  parseConfig: parserOf(configSchema),
  permissions: { network: true, files: "none", subprocess: false },
  helpUrl: "https://core.telegram.org/bots/features#botfather",
  channel: {
    secretKeys: [
      {
        key: "token",
        label: "Bot token",
        placeholder: "123456789:AA…",
        help: "From @BotFather, after /newbot or /token.",
        url: "https://t.me/BotFather",
      },
    ],
    async start(config, ctx) {
      const settings = settingsSchema.parse(config ?? {});
      return settings.token === "" ? undefined : startTelegram(settings, ctx);
    },
    setup: telegramSetup(),
  },
});
