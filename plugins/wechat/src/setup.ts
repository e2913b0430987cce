import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, CredentialStore, SetupState } from "@patchbay/plugin-sdk";
import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { type SignedIn, SignIn, type SignInOptions } from "./sign-in.ts";

export type QrSetupOptions = Pick<SignInOptions, "loginUrl" | "isTrusted"> & { clock: ChannelClock };

/** Where a sign-in may be sent on to. */
export function isTencent(address: URL): boolean {
  return (
    address.protocol === "https:" && /(^|\.)weixin\.qq\.com$/.test(address.hostname) && address.port === ""
  );
}

const PROFILE = "bot";
const MOST_TOKENS = 10;
/** What is remembered of the newest sign-in. */
const keptSchema = z.object({
  botToken: z.string(),
  baseUrl: z.string(),
  botId: z.string(),
  /** Those of earlier sign-ins too, newest first. */
  tokens: z.array(z.string()),
});
type Kept = z.infer<typeof keptSchema>;

const steps = ["Scan the code", "Confirm on the phone"];

interface Session {
  signIn: SignIn;
  over: AbortController;
}

/** A code to scan, renewed as it expires, and digits of the phone where it shows some. */
export function qrSetup(options: QrSetupOptions): ChannelSetup {
  const sessions = new Map<string, Session>();

  const sessionOf = (id: string): Session => {
    const session = sessions.get(id);
    if (!session) throw new Error("This setup has expired. Begin it again.");
    return session;
  };
  const stateOf = async ({ signIn }: Session, ctx: ChannelSetupContext): Promise<SetupState> => {
    const view = signIn.view;
    switch (view.kind) {
      case "code":
        return {
          kind: "awaiting_external",
          title: steps[0],
          steps,
          step: 0,
          instructions: "Open WeChat on your phone and scan this code. Your WeChat must offer bots.",
          qrText: view.text,
          pollIntervalMs: 1_500,
          expiresInMs: view.expiresInMs,
          attempt: { number: view.number, of: view.of },
        };
      case "scanned":
        return {
          kind: "awaiting_external",
          title: steps[1],
          steps,
          step: 1,
          instructions: "The code was scanned. Confirm it on the phone.",
          pollIntervalMs: 1_500,
        };
      case "digits":
        return {
          kind: "awaiting_user_input",
          title: steps[1],
          steps,
          step: 1,
          instructions: view.wrong
            ? "These were not the digits. Type those that the phone shows now."
            : "The phone shows some digits. Type them here.",
          fields: [{ key: "digits", label: "Digits on the phone", type: "text", required: true }],
        };
      case "failed":
        return { kind: "error", message: view.message };
      case "signed-in":
        return done(view.account, ctx);
      case "known":
        return doneAgain(ctx);
    }
  };

  return {
    begin: async (input, ctx) => {
      const id = randomUUID();
      const over = new AbortController();
      const signal = ctx.signal ? AbortSignal.any([ctx.signal, over.signal]) : over.signal;
      const knownTokens = (await keptOf(ctx.credentialStore))?.tokens ?? [];
      const signIn = new SignIn({ ...serviceOf(input, options), knownTokens, signal });
      const session = { signIn, over };
      sessions.set(id, session);
      signal.addEventListener("abort", () => sessions.delete(id), { once: true });
      await signIn.begin();
      return { sessionId: id, state: await stateOf(session, ctx) };
    },
    poll: async (id, ctx) => stateOf(sessionOf(id), ctx),
    submit: async (id, input, ctx) => {
      const session = sessionOf(id);
      await session.signIn.answer(String(input.digits ?? "").replace(/\D/g, ""));
      return stateOf(session, ctx);
    },
    cancel: async (id) => {
      sessions.get(id)?.over.abort();
      sessions.delete(id);
    },
  };
}

/** A service on this machine may be named when the wizard is begun, to try the plugin without a phone. */
function serviceOf({ service }: Record<string, unknown>, options: QrSetupOptions): QrSetupOptions {
  if (typeof service !== "string" || !URL.canParse(service) || !isLocal(new URL(service))) return options;
  return { ...options, loginUrl: service, isTrusted: isLocal };
}

const isLocal = ({ hostname }: URL) => hostname === "127.0.0.1" || hostname === "localhost";

async function done(account: SignedIn, { credentialStore }: ChannelSetupContext): Promise<SetupState> {
  const { botToken, baseUrl, botId, ownerId } = account;
  const older = (await keptOf(credentialStore))?.tokens ?? [];
  const kept: Kept = { botToken, baseUrl, botId, tokens: [botToken, ...older].slice(0, MOST_TOKENS) };
  // As one text, because each value in there is hidden wherever it is shown, and a bot's name is no secret.
  await credentialStore?.replace(PROFILE, { signIn: JSON.stringify(kept) });
  return {
    kind: "done",
    config: { botToken, baseUrl, botId, ...(ownerId !== "" && { owners: [ownerId] }) },
    account: botId,
  };
}

/** The phone says that this bot is signed in here already, and gives no new token. */
async function doneAgain({ credentialStore }: ChannelSetupContext): Promise<SetupState> {
  const kept = await keptOf(credentialStore);
  if (!kept) {
    return {
      kind: "error",
      message: "WeChat says that this bot is signed in here already. Remove it on the phone, then try again.",
    };
  }
  const { botToken, baseUrl, botId } = kept;
  return { kind: "done", config: { botToken, baseUrl, botId }, account: botId };
}

async function keptOf(store: CredentialStore | undefined): Promise<Kept | null> {
  const text = await store?.get(PROFILE, "signIn");
  return text === undefined ? null : keptSchema.parse(JSON.parse(text));
}
