import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "channels");

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
  ...kit.people(
    {
      owners:
        "User ids of people who may decide what the agent is allowed to do. In Discord: Settings, Advanced, Developer mode; then right-click a person, Copy User ID.",
      users: "User ids. Owners may write in any case.",
    },
    snowflake("A user id"),
  ),
  strangers: kit.strangers,
  everyone: kit.everyone(
    "Anybody may write",
    "Everybody who shares a server with the bot can talk with the agent.",
  ),
  groups: z.array(snowflake("A channel id")).default([]).meta({
    title: "Channels",
    description:
      "Ids of channels in which the agent answers when it is mentioned or replied to, threads included. Empty: in none.",
  }),
  groupsOnlyListed: kit.groupsOnlyListed,
  roomSettings: kit.roomSettings("groups", snowflake("A user id")),
  listenInGroups: kit.listen(),
  marks: kit.marks,
  joinSeconds: kit.joinSeconds,
  botExchanges: kit.botExchanges,
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
