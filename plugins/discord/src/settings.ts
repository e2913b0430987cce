import { z } from "zod";

const snowflake = (what: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{15,22}$/, `${what} is a number of 17 digits or more. Developer mode in Discord shows it.`);

export const settingsSchema = z.object({
  token: z
    .string()
    .trim()
    .default("")
    .meta({ title: "Bot token", description: "From Discord's developer portal." }),
  owners: z.array(snowflake("A user id")).default([]).meta({
    title: "Owners",
    description:
      "User ids of people who may decide what the agent is allowed to do. In Discord: Settings, Advanced, Developer mode; then right-click a person, Copy User ID.",
  }),
  users: z
    .array(snowflake("A user id"))
    .default([])
    .meta({ title: "People who may write", description: "User ids. Owners may write in any case." }),
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
    description: "Everybody who shares a server with the bot can talk with the agent.",
  }),
  groups: z.array(snowflake("A channel id")).default([]).meta({
    title: "Channels",
    description:
      "Ids of channels in which the agent answers when it is mentioned or replied to, threads included. Empty: in none.",
  }),
  groupsOnlyListed: z.boolean().default(true).meta({
    title: "In channels, only these people",
    description:
      "In channels, too, only owners and people who may write are answered. Off: anybody who is in them.",
  }),
  listenInGroups: z.boolean().default(false).meta({
    title: "Remember what is said in channels",
    description: "The agent knows what was said before it was mentioned.",
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
  apiUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://discord.com/api")
    .meta({
      title: "Address of Discord's API",
      description: "Only for a proxy.",
    }),
});
export type DiscordSettings = z.infer<typeof settingsSchema>;

/** The whole configuration of the plugin for an agent. */
export const configSchema = z.object({ channel: settingsSchema.prefault({}) });
