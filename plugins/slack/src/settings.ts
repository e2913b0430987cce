import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "channels");

const userId = z
  .string()
  .trim()
  .regex(/^[UW][A-Z0-9]{2,20}$/, "A Slack member id looks like U012AB3CD.");
const channelId = z
  .string()
  .trim()
  .regex(/^[CG][A-Z0-9]{2,20}$/, "A Slack channel id looks like C012AB3CD.");

export const settingsSchema = z.object({
  botToken: z.string().trim().default("").meta({ title: "Bot token", description: "Begins with xoxb-." }),
  appToken: z
    .string()
    .trim()
    .default("")
    .meta({ title: "App-level token", description: "Begins with xapp-." }),
  ...kit.people(
    {
      owners:
        "Member ids of people who may decide what the agent is allowed to do. In Slack: profile, the three dots, Copy member ID.",
      users: "Member ids. Owners may write in any case.",
    },
    userId,
  ),
  strangers: kit.strangers,
  everyone: kit.everyone(
    "Everybody in the workspace may write",
    "Guests and people of connected workspaces included.",
  ),
  groups: z.array(channelId).default([]).meta({
    title: "Channels",
    description: "Ids of channels in which the agent answers when it is mentioned. Empty: in none.",
  }),
  groupsOnlyListed: kit.groupsOnlyListed,
  roomSettings: kit.roomSettings("groups", userId),
  listenInGroups: kit.listen("The agent knows what was said in a thread before it was mentioned."),
  followThreads: z.boolean().default(true).meta({
    title: "In a thread, go on without a mention",
    description:
      "Once the agent was mentioned in a thread, it answers what people on your lists write there, until somebody else is mentioned or a day has passed.",
  }),
  marks: kit.marks,
  joinSeconds: kit.joinSeconds,
  botExchanges: kit.botExchanges,
  slackApiUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://slack.com/api/")
    .meta({
      title: "Address of Slack's API",
      description: "Only for GovSlack (https://slack-gov.com/api/) or a proxy.",
    }),
});
export type SlackSettings = z.infer<typeof settingsSchema>;

/** The whole configuration of the plugin for an agent. */
export const configSchema = z.object({ channel: settingsSchema.prefault({}) });
