import { channelSettings } from "@patchbay/plugin-sdk/channel/settings";
import { array, boolean, literal, number, object, string, union, z } from "zod";

const kit = channelSettings({ array, boolean, literal, number, object, string, union }, "channels");
const { line } = kit;

const account = line.regex(
  /^[^!@\s]*$/,
  "People are named by their account. A nick!user@host can be taken over by anybody.",
);

const portRule = "The port is a number from 1 to 65535; on most networks 6697.";

export const settingsSchema = z.object({
  server: line.regex(/^\S+$/, "Write the name of the server, such as irc.libera.chat.").meta({
    title: "Server",
    description: "Name of the server, such as irc.libera.chat.",
  }),
  port: z.number(portRule).int(portRule).min(1, portRule).max(65_535, portRule).default(6697).meta({
    title: "Port",
    description: "6697 for encrypted connections, 6667 for plain ones.",
  }),
  encrypted: z.boolean().default(true).meta({
    title: "Encrypted",
    description: "Connect with TLS. Leave it on unless the server is on this computer.",
  }),
  fingerprint: line
    .regex(
      /^(?:(?:sha-?256[:=])?(?:[0-9a-f]{2}[:\s]?){32})?$/i,
      "A SHA-256 fingerprint has 64 digits from 0 to 9 and A to F.",
    )
    .default("")
    .meta({
      title: "Fingerprint of the certificate",
      description:
        "SHA-256. Only for servers with a certificate of their own; no other certificate is then accepted.",
    }),
  nick: line
    .regex(/^[A-Za-z[\]\\`_^{|}][\w[\]\\`^{|}-]*$/, "A nick begins with a letter and has no spaces.")
    .max(30, "A nick has at most 30 letters.")
    .meta({ title: "Nick", description: "The name that the agent has on the network." }),
  account: line.default("").meta({
    title: "Account",
    description: "Name of the services account, when the network wants one. Signs in with SASL.",
  }),
  password: line.default("").meta({ title: "Password", description: "Password of the account." }),
  serverPassword: line.default("").meta({
    title: "Server password",
    description: "Only for servers that ask everybody for one.",
  }),
  signIn: z.enum(["sasl", "nickserv"]).default("sasl").meta({
    title: "Sign in with",
    description: "SASL, or a message to NickServ on networks without it.",
  }),
  channels: kit.list(
    "Channels",
    "Channels to join, such as #team. One with a key is written as #team key. The agent answers there when it is " +
      "spoken to by name.",
  ),
  ...kit.people(
    {
      owners: "Accounts of people who may decide approvals.",
      users: "Accounts. Owners may write in any case.",
    },
    account,
  ),
  strangers: kit.strangers,
  everyone: kit.everyone(
    "Everybody may write directly",
    "Anybody on the network can use the agent. Leave it off unless you mean that.",
  ),
  groupsOnlyListed: kit.groupsOnlyListed,
  roomSettings: kit.roomSettings("channels", account),
  listen: kit.listen("The agent knows what was said before it was spoken to."),
  joinSeconds: kit.joinSeconds,
  botExchanges: kit.botExchanges,
  burst: z.number().int().min(0).max(1_000).default(0).meta({
    title: "Lines at once",
    description: "How many lines may go out at once. 0: what suits the server.",
  }),
  linesPerMinute: z.number().min(0).max(60_000).default(0).meta({
    title: "Lines a minute",
    description:
      "How many lines may go out after that. 0: what suits the server. Faster than it allows, it hangs up.",
  }),
  maxLines: z.number().int().min(1).max(1_000).default(8).meta({
    title: "Lines at a time",
    description: 'Longer answers are cut; "more" shows the rest.',
  }),
});
export type IrcSettings = z.infer<typeof settingsSchema>;

/** What the plugin takes beside its settings, for tests: how much faster than on the wall its time passes. */
const testing = { timeScale: kit.timeScale };

export const channelSchema = settingsSchema.extend(testing);
export type IrcChannel = z.infer<typeof channelSchema>;
