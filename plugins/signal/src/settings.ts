import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";
import { serverProblem } from "./server-address.ts";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "groups");
const { line } = kit;

export const settingsSchema = z.object({
  server: line
    .superRefine((text, ctx) => {
      const problem = serverProblem(text);
      if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
    })
    .meta({
      title: "Server",
      description: "Address of your signal-cli-rest-api, such as http://127.0.0.1:8080.",
    }),
  number: line.regex(/^\+\d{5,15}$/, "Write the number with its country code, such as +491701234567.").meta({
    title: "Number",
    description: "The Signal account that the agent speaks for, with the country code.",
  }),
  ...kit.people({
    owners:
      "Numbers (+49…) or Signal ids of people who may decide approvals. They are heard in groups without being asked.",
    users: "Numbers or Signal ids. Owners may write in any case.",
  }),
  strangers: kit.strangers,
  everyone: kit.everyone(
    "Everybody may write",
    "Anybody who knows the number can use the agent. Leave it off unless you mean that.",
  ),
  groups: kit.list(
    "Groups",
    "Ids (group.…) of groups in which the agent answers when it is mentioned or replied to.",
  ),
  groupsOnlyListed: kit.groupsOnlyListed,
  roomSettings: kit.roomSettings("groups"),
  listen: kit.listen(),
  marks: kit.marks.unwrap().default(false).meta({
    title: "Show reactions",
    description:
      "Eyes at a message that waits, an hourglass at one that is worked on. Signal rings for each. Without them it is shown as read.",
  }),
  joinSeconds: kit.joinSeconds,
});

/** What the plugin takes beside its settings, for tests: how much faster than on the wall its time passes. */
const testing = { timeScale: kit.timeScale };

export const channelSchema = settingsSchema.extend(testing);
export type SignalChannel = z.infer<typeof channelSchema>;
