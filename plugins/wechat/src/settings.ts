import { z } from "zod";

const line = z
  .string()
  .trim()
  .regex(/^[^\r\n\0]*$/, "It must be one line.");

const address = line.refine((text) => text === "" || URL.canParse(text), "It must be an address, https://….");
const ids = (title: string, description: string) => z.array(line).default([]).meta({ title, description });

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
  owners: ids(
    "Owners",
    "Ids (…@im.wechat) of people who may decide approvals. Whoever scanned the code is the first.",
  ),
  users: ids("People", "Ids of further people who may write to the agent."),
  strangers: z
    .enum(["pair", "ignore", "answer"])
    .default("pair")
    .meta({
      title: "Somebody who is not named",
      description:
        "What happens when they write directly. pair: they are told a code, and you let them in under People. ignore: nothing. " +
        "answer: anybody can use the agent.",
    }),
  everyone: z.boolean().default(false).meta({
    title: "Everybody may write",
    description: "Anybody who finds the bot can use the agent. Leave it off unless you mean that.",
  }),
});

/** What the plugin takes beside its settings, for tests. */
const testing = {
  cdnUrl: address.default(CDN_URL),
  /** How much faster than on the wall its time passes. */
  timeScale: z.number().min(1).max(100_000).default(1),
};

export const channelSchema = settingsSchema.extend(testing);
export type WeChatChannel = z.infer<typeof channelSchema>;
