import { z } from "zod";

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
  owners: z.array(userId).default([]).meta({
    title: "Owners",
    description:
      "Member ids of people who may decide what the agent is allowed to do. In Slack: profile, the three dots, Copy member ID.",
  }),
  users: z
    .array(userId)
    .default([])
    .meta({ title: "People who may write", description: "Member ids. Owners may write in any case." }),
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
    title: "Everybody in the workspace may write",
    description: "Guests and people of connected workspaces included.",
  }),
  groups: z.array(channelId).default([]).meta({
    title: "Channels",
    description: "Ids of channels in which the agent answers when it is mentioned. Empty: in none.",
  }),
  groupsOnlyListed: z.boolean().default(true).meta({
    title: "In channels, only these people",
    description:
      "In channels, too, only owners and people who may write are answered. Off: anybody who is in them.",
  }),
  listenInGroups: z.boolean().default(false).meta({
    title: "Remember what is said in channels",
    description: "The agent knows what was said in a thread before it was mentioned.",
  }),
  followThreads: z.boolean().default(true).meta({
    title: "In a thread, go on without a mention",
    description:
      "Once the agent was mentioned in a thread, it answers what people on your lists write there, until somebody else is mentioned or a day has passed.",
  }),
  marks: z.boolean().default(true).meta({
    title: "Show reactions",
    description: "Eyes at a message that waits, an hourglass at one that is worked on.",
  }),
  joinSeconds: z.number().min(0).max(30).default(1).meta({
    title: "Wait for more, seconds",
    description:
      "Messages that a person sends this shortly after each other are answered together. 0: each alone.",
  }),
  botExchanges: z.number().int().min(0).max(50).default(0).meta({
    title: "Answers to another bot",
    description:
      "How often a bot on your lists is answered before a person has to write again. 0: bots are not answered.",
  }),
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
