import { ChannelFailure, deafPort, formSetup, listOf, systemClock } from "@patchbay/plugin-sdk/channel";
import type { z } from "zod";
import { channelSchema, settingsSchema } from "./settings.ts";
import { IrcTransport } from "./transport.ts";

const standardPort = 6697;
const yes = /^(yes|y|on|true)?$/i;
const no = /^(no|n|off|false|none)$/i;

export const setup = formSetup({
  proving: "Connect",
  steps: [
    {
      title: "Network",
      instructions:
        "Which server is the agent to connect to, and which name is it to have there? On most networks a name is yours only with an account: register it once with any IRC program, /msg NickServ REGISTER password email.",
      fields: [
        { key: "server", label: "Server", type: "text", required: true, placeholder: "irc.libera.chat" },
        {
          key: "nick",
          label: "Nick",
          type: "text",
          required: true,
          placeholder: "my-agent",
          help: "What people call the agent there.",
        },
        {
          key: "account",
          label: "Account",
          type: "text",
          help: "Leave it and the password empty when the nick is not registered.",
        },
        { key: "password", label: "Password of the account", type: "password" },
        {
          key: "port",
          label: "Port",
          type: "number",
          placeholder: "6697",
          help: "6697 on nearly all networks.",
        },
        {
          key: "encryption",
          label: "Encryption",
          type: "text",
          placeholder: "yes",
          help: 'Write "no" only for a server on this computer or in your own network, often on port 6667.',
        },
      ],
      check: ({ server = "", port = "", encryption = "", nick = "" }) =>
        wrongIn(settingsSchema.shape.server, server) ??
        wrongIn(settingsSchema.shape.port, port === "" ? standardPort : Number(port)) ??
        (yes.test(encryption) || no.test(encryption) ? null : 'Write "yes" or "no" for the encryption.') ??
        wrongIn(settingsSchema.shape.nick, nick),
    },
    {
      title: "People",
      instructions:
        "Who may talk with the agent? Name people by their account: in an IRC program, /whois and the nick show it. While nobody is named, nobody is answered.",
      fields: [
        {
          key: "owners",
          label: "Owners",
          type: "text",
          help: "They also decide what the agent is allowed to do. Separate several with commas.",
        },
        { key: "users", label: "Others who may write directly", type: "text" },
        {
          key: "channels",
          label: "Channels",
          type: "text",
          placeholder: "#team, #other",
          help: "The agent enters them and answers when it is spoken to by name. A channel's key follows after a space.",
        },
      ],
    },
  ],
  prove: async (values, ctx) => {
    const config = {
      server: values.server ?? "",
      port: values.port === "" || values.port === undefined ? standardPort : Number(values.port),
      encrypted: !no.test(values.encryption ?? ""),
      nick: values.nick ?? "",
      account: values.account ?? "",
      password: values.password ?? "",
      channels: listOf(values.channels),
      owners: listOf(values.owners),
      users: listOf(values.users),
    };
    const parsed = channelSchema.safeParse(config);
    if (!parsed.success) throw new ChannelFailure("refused", parsed.error.issues[0]?.message ?? "");
    const transport = new IrcTransport({ ...parsed.data, channels: [] }, systemClock());
    const limit = AbortSignal.timeout(20_000);
    try {
      const signal = ctx.signal ? AbortSignal.any([ctx.signal, limit]) : limit;
      return { config, account: (await transport.connect(deafPort, signal)).account };
    } finally {
      await transport.close();
    }
  },
});

/** What is wrong with one answer, as a sentence; null when nothing is. */
function wrongIn(schema: z.ZodType, answer: unknown): string | null {
  return schema.safeParse(answer).error?.issues[0]?.message ?? null;
}
