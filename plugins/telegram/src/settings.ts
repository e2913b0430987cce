import { z } from "zod";

const userId = z
  .string()
  .trim()
  .regex(/^\d{1,20}$/, "A Telegram id is a number, such as 123456789.");
const groupId = z
  .string()
  .trim()
  .regex(/^-\d{1,20}$/, "The id of a group is a negative number, such as -1001234567890.");

export const settingsSchema = z.object({
  token: z.string().trim().default("").meta({ title: "Bot token", description: "From @BotFather." }),
  owners: z.array(userId).default([]).meta({
    title: "Owners",
    description:
      "Telegram ids of people who may decide what the agent is allowed to do. Not user names: those can change hands.",
  }),
  users: z.array(userId).default([]).meta({
    title: "People who may write",
    description: "Telegram ids. Owners may write in any case.",
  }),
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
    title: "Anybody may write",
    description: "Everybody who finds the bot can talk with the agent.",
  }),
  groups: z.array(groupId).default([]).meta({
    title: "Groups",
    description:
      "Ids of groups in which the agent answers when it is mentioned or replied to. Empty: in none.",
  }),
  groupsOnlyListed: z.boolean().default(true).meta({
    title: "In groups, only these people",
    description:
      "In groups, too, only owners and people who may write are answered. Off: anybody who is in them.",
  }),
  listenInGroups: z.boolean().default(false).meta({
    title: "Remember what is said in groups",
    description:
      "The agent knows what was said before it was mentioned. The bot must be allowed to read all messages.",
  }),
  webhookUrl: z
    .union([z.literal(""), z.url({ protocol: /^https?$/ })])
    .default("")
    .meta({
      title: "Webhook address",
      description:
        "Public https address that leads to this Patchbay, as of a reverse proxy. Leave it empty: then the bot fetches its messages itself.",
    }),
  apiRoot: z
    .url({ protocol: /^https?$/ })
    .default("https://api.telegram.org")
    .meta({
      title: "Bot API server",
      description: "Only if you run one of your own.",
    }),
});
export type TelegramSettings = z.infer<typeof settingsSchema>;

/** The whole configuration of the plugin for an agent. */
export const configSchema = z.object({ channel: settingsSchema.prefault({}) });
