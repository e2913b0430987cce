import { z } from "zod";

const line = z
  .string()
  .trim()
  .regex(/^[^\r\n\0]*$/, "It must be one line.");
const address = /^[^\s@/]+@[^\s@/]+$/;

const list = (title: string, description: string) => z.array(line).default([]).meta({ title, description });

export const settingsSchema = z.object({
  jid: line.regex(address, "Write the address as name@example.org.").meta({
    title: "Address",
    description: "The address of the agent's own account, such as agent@example.org.",
  }),
  password: line.default("").meta({ title: "Password", description: "The password of that account." }),
  host: line.default("").meta({
    title: "Server",
    description: "Only when the address alone does not lead to it, such as chat.example.org:5222.",
  }),
  encrypted: z.boolean().default(true).meta({
    title: "Encrypted",
    description:
      "Refuse to talk over a connection that is not encrypted. Leave it on unless the server is on this computer.",
  }),
  rooms: list(
    "Rooms",
    "Rooms to be in, such as team@conference.example.org. One with a password is written with it after a space. The " +
      "agent answers there when it is spoken to by name.",
  ),
  nick: line
    .regex(/^[^/]+$/)
    .max(60)
    .default("agent")
    .meta({ title: "Name in rooms", description: "What the agent is called in rooms." }),
  owners: list("Owners", "Addresses of people who may decide approvals."),
  users: list("People", "Addresses of people who may write to the agent directly."),
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
    title: "Everybody may write directly",
    description: "Anybody who knows the address can use the agent. Leave it off unless you mean that.",
  }),
  groupsOnlyListed: z.boolean().default(true).meta({
    title: "In rooms, only these people",
    description: "In rooms, too, only owners and people are answered. Off: anybody who is in them.",
  }),
  listen: z.boolean().default(false).meta({
    title: "Remember what is said in rooms",
    description: "The agent knows what was said before it was spoken to.",
  }),
  fileHosts: list(
    "Hosts of files",
    "Where files may be fetched from, beside the servers of the sender and of the agent.",
  ),
});

/** What the plugin takes beside its settings, for tests: how much faster than on the wall its time passes. */
const testing = { timeScale: z.number().min(1).max(100_000).default(1) };

export const channelSchema = settingsSchema.extend(testing);
export type XmppChannel = z.infer<typeof channelSchema>;

/** `room@conference password` of the settings, taken apart. */
export function roomsOf(settings: Pick<XmppChannel, "rooms">): Map<string, { password: string | undefined }> {
  return new Map(
    settings.rooms.map((room) => {
      const [name = "", password] = room.split(/\s+/);
      return [name.toLowerCase(), { password }];
    }),
  );
}
