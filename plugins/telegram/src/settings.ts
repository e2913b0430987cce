import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "groups");

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
  ...kit.people(
    {
      owners:
        "Telegram ids of people who may decide what the agent is allowed to do. Not user names: those can change hands.",
      users: "Telegram ids. Owners may write in any case.",
    },
    userId,
  ),
  strangers: kit.strangers,
  everyone: kit.everyone("Anybody may write", "Everybody who finds the bot can talk with the agent."),
  groups: z.array(groupId).default([]).meta({
    title: "Groups",
    description:
      "Ids of groups in which the agent answers when it is mentioned or replied to. Empty: in none.",
  }),
  groupsOnlyListed: kit.groupsOnlyListed,
  roomSettings: kit.roomSettings("groups", userId),
  listenInGroups: kit.listen(
    "The agent knows what was said before it was mentioned. The bot must be allowed to read all messages.",
  ),
  marks: kit.marks.meta({ description: "Eyes at a message that waits, a pen at one that is worked on." }),
  joinSeconds: kit.joinSeconds,
  botExchanges: kit.botExchanges,
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
