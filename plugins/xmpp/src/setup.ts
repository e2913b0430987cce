import { ChannelFailure, formSetup, listOf, systemClock } from "@patchbay/plugin-sdk/channel";
import { channelSchema, settingsSchema } from "./settings.ts";
import { XmppTransport } from "./transport.ts";

export const setup = formSetup({
  proving: "Connect",
  steps: [
    {
      title: "Account",
      instructions:
        "The agent needs an account of its own on an XMPP server; with yours it would read your messages. Register one on the web page of a server or with an XMPP program, or ask whoever runs the server.",
      fields: [
        { key: "jid", label: "Address", type: "text", required: true, placeholder: "agent@example.org" },
        { key: "password", label: "Password", type: "password", required: true },
        {
          key: "host",
          label: "Server",
          type: "text",
          placeholder: "chat.example.org:5222",
          help: "Leave it empty unless the address alone does not lead to the server.",
        },
      ],
      check: ({ jid = "" }) => settingsSchema.shape.jid.safeParse(jid).error?.issues[0]?.message ?? null,
    },
    {
      title: "People",
      instructions:
        "Who may talk with the agent? Name people by their XMPP address, or nobody: whoever else writes to the agent is told a code, and you let them in under People. You can begin like that, too, and let yourself in as the owner. Until somebody is named or let in, nobody is answered.",
      fields: [
        {
          key: "owners",
          label: "Owners",
          type: "text",
          placeholder: "you@example.org",
          help: "They also decide what the agent is allowed to do. Separate several with commas.",
        },
        { key: "users", label: "Others who may write directly", type: "text" },
        {
          key: "rooms",
          label: "Rooms",
          type: "text",
          placeholder: "team@conference.example.org",
          help: "The agent enters them and answers when it is spoken to by name. A room's password follows after a space.",
        },
        { key: "nick", label: "Name in rooms", type: "text", placeholder: "agent" },
      ],
    },
  ],
  prove: async (values, ctx) => {
    const host = values.host ?? "";
    const config = {
      jid: values.jid ?? "",
      password: values.password ?? "",
      host,
      // A server on this computer needs no encryption.
      encrypted: !/^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host),
      owners: listOf(values.owners),
      users: listOf(values.users),
      rooms: listOf(values.rooms),
      nick: values.nick || "agent",
    };
    const parsed = channelSchema.safeParse(config);
    if (!parsed.success) throw new ChannelFailure("refused", parsed.error.issues[0]?.message ?? "");
    const transport = new XmppTransport({ ...parsed.data, rooms: [] }, "patchbay-setup", systemClock());
    const limit = AbortSignal.timeout(20_000);
    try {
      const signal = ctx.signal ? AbortSignal.any([ctx.signal, limit]) : limit;
      return { config, account: (await transport.prove(signal)).account };
    } finally {
      await transport.close();
    }
  },
});
