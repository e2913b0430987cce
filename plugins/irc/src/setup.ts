import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { ChannelFailure, deafPort, formSetup, listOf, systemClock } from "@patchbay/plugin-sdk/channel";
import type { z } from "zod";
import { channelSchema, type IrcChannel, settingsSchema } from "./settings.ts";
import { IrcTransport } from "./transport.ts";
import { isUnknownCertificate, shownFingerprint } from "./wire/certificate.ts";
import { isNoSasl } from "./wire/failures.ts";

const standardPort = 6697;
const yes = /^(yes|y|on|true)?$/i;
const no = /^(no|n|off|false|none)$/i;

/** The fingerprint of an unknown certificate that stopped a proof, by the call that led to it. */
const unknown = new WeakMap<ChannelSetupContext, string>();

const form = formSetup({
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
        {
          key: "fingerprint",
          label: "Fingerprint of its certificate",
          type: "text",
          help: "SHA-256. Only for a server with a certificate of its own; left empty, you are shown it and asked.",
        },
      ],
      check: ({ server = "", port = "", encryption = "", nick = "", fingerprint = "" }) =>
        wrongIn(settingsSchema.shape.server, server) ??
        wrongIn(settingsSchema.shape.port, port === "" ? standardPort : Number(port)) ??
        (yes.test(encryption) || no.test(encryption) ? null : 'Write "yes" or "no" for the encryption.') ??
        wrongIn(settingsSchema.shape.nick, nick) ??
        wrongIn(settingsSchema.shape.fingerprint, fingerprint),
    },
    {
      title: "People",
      instructions:
        "Who may talk with the agent? You need not name anybody: whoever writes to it directly is told a code, and you let them in under People, yourself as the owner. Until somebody is named or let in, nobody is answered. Or name people by their account: in an IRC program, /whois and the nick show it.",
      fields: [
        {
          key: "owners",
          label: "Owners",
          type: "text",
          help: "They also decide what the agent is allowed to do. Separate several with commas, or leave it empty and write to the agent afterwards.",
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
      fingerprint: values.fingerprint ?? "",
      nick: values.nick ?? "",
      account: values.account ?? "",
      password: values.password ?? "",
      channels: listOf(values.channels),
      owners: listOf(values.owners),
      users: listOf(values.users),
    };
    const parsed = channelSchema.safeParse(config);
    if (!parsed.success) throw new ChannelFailure("refused", parsed.error.issues[0]?.message ?? "");
    const settings = { ...parsed.data, channels: [] };
    try {
      return { config, account: await connectOnce(settings, ctx) };
    } catch (error) {
      if (isUnknownCertificate(error)) {
        const fingerprint = await shownFingerprint(settings.server, settings.port);
        if (fingerprint !== null) unknown.set(ctx, fingerprint);
      }
      if (!isNoSasl(error)) throw error;
      // Networks without SASL take the password by a message to NickServ.
      const account = await connectOnce({ ...settings, signIn: "nickserv" }, ctx);
      return { config: { ...config, signIn: "nickserv" }, account };
    }
  },
});

/** Connects, and ends it again. Resolves with who the agent is there. */
async function connectOnce(settings: IrcChannel, ctx: ChannelSetupContext): Promise<string> {
  const transport = new IrcTransport(settings, systemClock());
  const limit = AbortSignal.timeout(20_000);
  try {
    const signal = ctx.signal ? AbortSignal.any([ctx.signal, limit]) : limit;
    return (await transport.connect(deafPort, signal)).account;
  } finally {
    await transport.close();
  }
}

interface Asked {
  /** What was typed, a form each; given again when the certificate is agreed on. */
  typed: Record<string, unknown>[];
  /** The fingerprint that the person is asked about. */
  fingerprint: string | null;
  state: SetupState | null;
}

const sessions = new Map<string, Asked>();

/** The forms, and a question in between when the server has a certificate that nobody vouches for. */
export const setup: ChannelSetup = {
  ...form,
  begin: async (...parameters) => {
    const begun = await form.begin(...parameters);
    sessions.set(begun.sessionId, { typed: [], fingerprint: null, state: null });
    return begun;
  },
  poll: async (id, ...rest) => sessions.get(id)?.state ?? form.poll(id, ...rest),
  submit: async (id, input, ctx) => {
    const asked = sessions.get(id) ?? { typed: [], fingerprint: null, state: null };
    const { typed, fingerprint } = asked;
    const submit = (values: Record<string, unknown>) => {
      if (!form.submit) throw new Error("The form cannot be answered.");
      return form.submit(id, values, ctx);
    };
    asked.state = null;
    asked.fingerprint = null;
    if (fingerprint !== null) {
      const [network = {}, people = {}] = typed.splice(0);
      if (input.choice !== "trust") return form.poll(id, ctx);
      const agreed = { ...network, fingerprint };
      const next = await submit(agreed);
      return next.kind === "awaiting_user_input" && next.step === 1 ? submit(people) : next;
    }
    typed.push(input);
    const state = await submit(input);
    const shown = unknown.get(ctx);
    unknown.delete(ctx);
    if (state.kind === "awaiting_user_input" && state.step === 0) {
      if (shown === undefined) typed.splice(0);
      else {
        asked.fingerprint = shown;
        asked.state = askAboutCertificate(shown, state.steps ?? []);
        sessions.set(id, asked);
        return asked.state;
      }
    } else if (state.kind === "awaiting_user_input" && state.step === 1 && typed.length > 1) typed.pop();
    if (state.kind === "done") sessions.delete(id);
    return state;
  },
  cancel: async (id, ...rest) => {
    sessions.delete(id);
    await form.cancel?.(id, ...rest);
  },
};

function askAboutCertificate(fingerprint: string, steps: string[]): SetupState {
  return {
    kind: "awaiting_choice",
    title: "Is this the right server?",
    instructions: `Nobody vouches for the certificate of the server. Ask its operator for the SHA-256 fingerprint and compare:\n${fingerprint}`,
    options: [
      {
        value: "trust",
        label: "It is the same",
        help: "From now on this certificate is accepted there, and no other.",
      },
      { value: "back", label: "It is not, or I do not know", help: "Nothing is sent to the server." },
    ],
    steps,
    step: steps.length - 1,
  };
}

/** What is wrong with one answer, as a sentence; null when nothing is. */
function wrongIn(schema: z.ZodType, answer: unknown): string | null {
  return schema.safeParse(answer).error?.issues[0]?.message ?? null;
}
