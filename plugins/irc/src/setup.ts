import {
  ChannelFailure,
  type ChannelPort,
  formSetup,
  listOf,
  systemClock,
} from "@patchbay/plugin-sdk/channel";
import { channelSchema } from "./settings.ts";
import { IrcTransport } from "./transport.ts";

/** Nothing that comes in during the proof is taken. */
const deaf: ChannelPort = {
  message: async () => {},
  press: async () => "",
  lost: () => {},
  trouble: () => {},
  degraded: () => {},
};

export const setup = formSetup({
  proving: "Connect",
  steps: [
    {
      title: "Network",
      instructions: "Which server is the agent to connect to, and under which name?",
      fields: [
        { key: "server", label: "Server", type: "text", required: true, placeholder: "irc.libera.chat" },
        { key: "port", label: "Port", type: "number", placeholder: "6697" },
        {
          key: "encryption",
          label: "Encryption",
          type: "text",
          placeholder: "yes",
          help: 'Write "no" only for servers on this computer or in your own network, often on port 6667.',
        },
        { key: "nick", label: "Nick", type: "text", required: true, placeholder: "my-agent" },
        {
          key: "account",
          label: "Account",
          type: "text",
          help: "Where the nick is registered with NickServ. Else leave it empty.",
        },
        { key: "password", label: "Password of the account", type: "password" },
      ],
    },
    {
      title: "People",
      instructions:
        "Who may talk with the agent? People are named by their account; on networks without accounts by nick!user@host.",
      fields: [
        {
          key: "owners",
          label: "Owners",
          type: "text",
          help: "May also decide approvals. Separate with commas.",
        },
        { key: "users", label: "Others who may write directly", type: "text" },
        { key: "channels", label: "Channels", type: "text", placeholder: "#team, #secret key" },
      ],
    },
  ],
  prove: async (values, ctx) => {
    const port = values.port === "" || values.port === undefined ? 6697 : Number(values.port);
    const config = {
      server: values.server ?? "",
      port,
      encrypted: !/^(no|off|false|none)$/i.test(values.encryption ?? ""),
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
      return { config, account: (await transport.connect(deaf, signal)).account };
    } finally {
      await transport.close();
    }
  },
});
