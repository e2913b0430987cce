import { randomUUID } from "node:crypto";
import { definePlugin, type PluginStorage, parserOf, schemaOf } from "@patchbay/plugin-sdk";
import { chatSayer, runChannel, systemClock } from "@patchbay/plugin-sdk/channel";
import { accessOf, mannersOf } from "@patchbay/plugin-sdk/channel/settings";
import { z } from "zod";
import de from "../locales/de.json" with { type: "json" };
import { channelSchema, roomsOf, settingsSchema, type XmppChannel } from "./settings.ts";
import { setup } from "./setup.ts";
import { CatchUp } from "./stream/catch-up.ts";
import { XmppTransport } from "./transport.ts";

export default definePlugin({
  manifestVersion: 1,
  key: "xmpp",
  displayName: "XMPP",
  description: "Talks with people on XMPP (Jabber).",
  configSchema: schemaOf(z.object({ channel: settingsSchema })),
  parseConfig: parserOf(z.object({ channel: channelSchema })),
  permissions: { network: true, files: "none", subprocess: false },
  channel: {
    secretKeys: [{ key: "password", label: "Password" }],
    setup,
    async start(config, ctx) {
      const settings = config as XmppChannel;
      const clock = systemClock(settings.timeScale);
      const say = chatSayer(ctx.agent, { de });
      return runChannel(
        {
          name: "XMPP",
          transport: new XmppTransport(
            settings,
            await resourceOf(ctx.storage),
            clock,
            new CatchUp(ctx.storage, clock),
            say,
          ),
          clock,
          say,
          secrets: [settings.password],
          manners: mannersOf(settings),
          access: accessOf(settings, {
            groups: [...roomsOf(settings).keys()],
            normalise: (id) => id.toLowerCase(),
          }),
        },
        ctx,
      );
    },
  },
});

/**
 * The name of this installation among the account's sessions. It stays the same, so that a new session replaces that of
 * a process that died; it is random, so that no second installation throws this one out.
 */
async function resourceOf(storage: PluginStorage): Promise<string> {
  const stored = await storage.get("resource");
  if (typeof stored === "string") return stored;
  const resource = `patchbay-${randomUUID().slice(0, 8)}`;
  await storage.set("resource", resource);
  return resource;
}
