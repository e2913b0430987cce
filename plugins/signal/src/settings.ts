import { z } from "zod";
import { serverProblem } from "./server-address.ts";

const line = z
  .string()
  .trim()
  .regex(/^[^\r\n\0]*$/, "It must be one line.");

const ids = (title: string, description: string) => z.array(line).default([]).meta({ title, description });

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
  owners: ids(
    "Owners",
    "Numbers (+49…) or Signal ids of people who may decide approvals. They are heard in groups without being asked.",
  ),
  users: ids("People", "Numbers or Signal ids of further people who may write to the agent."),
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
    description: "Anybody who knows the number can use the agent. Leave it off unless you mean that.",
  }),
  groups: ids(
    "Groups",
    "Ids (group.…) of groups in which the agent answers when it is mentioned or replied to.",
  ),
  groupsOnlyListed: z.boolean().default(true).meta({
    title: "In groups, only these people",
    description: "In groups, too, only owners and people are answered. Off: anybody who is in them.",
  }),
  listen: z.boolean().default(false).meta({
    title: "Remember what is said in groups",
    description: "The agent knows what was said before it was mentioned.",
  }),
});

/** What the plugin takes beside its settings, for tests: how much faster than on the wall its time passes. */
const testing = { timeScale: z.number().min(1).max(100_000).default(1) };

export const channelSchema = settingsSchema.extend(testing);
export type SignalChannel = z.infer<typeof channelSchema>;
