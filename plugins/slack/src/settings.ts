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
