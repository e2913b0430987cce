import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "rooms");
const { line } = kit;
const address = /^[^\s@/]+@[^\s@/]+$/;

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
  rooms: kit.list(
    "Rooms",
    "Rooms to be in, such as team@conference.example.org. One with a password is written with it after a space. The " +
      "agent answers there when it is spoken to by name.",
  ),
  nick: line
    .regex(/^[^/]+$/)
    .max(60)
    .default("agent")
    .meta({ title: "Name in rooms", description: "What the agent is called in rooms." }),
  ...kit.people({
    owners: "Addresses of people who may decide approvals.",
    users: "Addresses. Owners may write in any case.",
  }),
  strangers: kit.strangers,
  everyone: kit.everyone(
    "Everybody may write directly",
    "Anybody who knows the address can use the agent. Leave it off unless you mean that.",
  ),
  groupsOnlyListed: kit.groupsOnlyListed,
  roomSettings: kit.roomSettings("rooms"),
  listen: kit.listen("The agent knows what was said before it was spoken to."),
  marks: kit.marks,
  joinSeconds: kit.joinSeconds,
  botExchanges: kit.botExchanges,
  fileHosts: kit.list(
    "Hosts of files",
    "Where files may be fetched from, beside the servers of the sender and of the agent.",
  ),
});

/** What the plugin takes beside its settings, for tests: how much faster than on the wall its time passes. */
const testing = { timeScale: kit.timeScale };

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
