import { definePlugin, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { chatSayer, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import { z } from "zod";
import de from "../locales/de.json" with { type: "json" };
import { channelSchema, LOGIN_URL, settingsSchema, type WeChatChannel } from "./settings.ts";
import { isTencent, qrSetup } from "./setup.ts";
import { WeChatTransport } from "./transport.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "wechat",
  displayName: "WeChat",
  description: "Talks with people on WeChat, paired by a QR code.",
  configSchema: schemaOf(z.object({ channel: settingsSchema })),
  parseConfig: parserOf(z.object({ channel: channelSchema })),
  permissions: { network: ["*.weixin.qq.com"], files: "none", subprocess: false },
  channel: {
    secretKeys: [{ key: "botToken", label: "Bot token", help: "Comes from the sign-in by QR code." }],
    setup: qrSetup({ loginUrl: LOGIN_URL, isTrusted: isTencent, clock: systemClock() }),
    async start(config, ctx) {
      const settings = config as WeChatChannel;
      const clock = systemClock(settings.timeScale);
      return runChannel(
        {
          name: "WeChat",
          transport: new WeChatTransport(settings, clock, ctx.storage, ctx.logger),
          clock,
          say: chatSayer(ctx.agent, { de }),
          secrets: [settings.botToken],
          manners: mannersOf(settings),
          access: accessOf(settings),
        },
        ctx,
      );
    },
  },
});
