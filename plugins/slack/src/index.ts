import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { startSlack } from "./channel.ts";
import { configSchema, settingsSchema } from "./settings.ts";
import { slackSetup } from "./setup.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "slack",
  displayName: "Slack",
  description: "Talks with people in Slack through an app of yours.",
  configSchema: schemaOf(configSchema),
  parseConfig: parserOf(configSchema),
  permissions: { network: true, files: "none", subprocess: false },
  helpUrl: "https://api.slack.com/apps",
  channel: {
    secretKeys: [
      {
        key: "botToken",
        label: "Bot token",
        placeholder: "xoxb-…",
        help: "On the page of the app: OAuth & Permissions, Bot User OAuth Token.",
        url: "https://api.slack.com/apps",
      },
      {
        key: "appToken",
        label: "App-level token",
        placeholder: "xapp-…",
        help: "On the page of the app: Basic Information, App-Level Tokens, with connections:write.",
        url: "https://api.slack.com/apps",
      },
    ],
    async start(config, ctx) {
      const settings = settingsSchema.parse(config ?? {});
      return settings.botToken === "" || settings.appToken === "" ? undefined : startSlack(settings, ctx);
    },
    setup: slackSetup(),
  },
});
