import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "groups");
const { line } = kit;

const address = line.refine((text) => text === "" || URL.canParse(text), "It must be an address, https://….");

/** Where Tencent's client begins a sign-in, and where it fetches files. */
export const LOGIN_URL = "https://ilinkai.weixin.qq.com";
export const CDN_URL = "https://novac2c.cdn.weixin.qq.com/c2c";

export const settingsSchema = z.object({
  botToken: line.min(1, "Sign in with the wizard.").meta({
    title: "Bot token",
    description: "Comes from the sign-in by QR code. It cannot be typed.",
  }),
  baseUrl: address.default(LOGIN_URL).meta({
    title: "Address of the service",
    description: "Comes from the sign-in.",
  }),
  botId: line.default("").meta({ title: "Bot", description: "The bot's own id, …@im.bot." }),
  ...kit.people({
    owners: "Ids (…@im.wechat) of people who may decide approvals. Whoever scanned the code is the first.",
    users: "Ids. Owners may write in any case.",
  }),
  strangers: kit.strangers,
  everyone: kit.everyone(
    "Everybody may write",
    "Anybody who finds the bot can use the agent. Leave it off unless you mean that.",
  ),
  joinSeconds: kit.joinSeconds,
});

/** What the plugin takes beside its settings, for tests. */
const testing = {
  cdnUrl: address.default(CDN_URL),
  /** How much faster than on the wall its time passes. */
  timeScale: kit.timeScale,
};

export const channelSchema = settingsSchema.extend(testing);
export type WeChatChannel = z.infer<typeof channelSchema>;
