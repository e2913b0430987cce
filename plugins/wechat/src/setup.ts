import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, CredentialStore, SetupState } from "@patchbay/plugin-sdk";
import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import { z } from "zod";
import { LOGIN_URL } from "./settings.ts";
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
  /** Tokens of this sign-in and earlier ones, newest first. */
  tokens: z.array(z.string()),
  /** Where the sign-in began; "": at Tencent's own service. */
  service: z.string().default(""),
});
type Kept = z.infer<typeof keptSchema>;

const steps = ["Your phone", "Scan the code", "Confirm on the phone"];

interface Session {
  /** Null before there is a code to show. */
  signIn: SignIn | null;
  /** The form that is shown while there is none. */
  form: SetupState;
  service: string;
  /** The address that an empty field stands for. */
  usual: string;
  over: AbortController;
  signal: AbortSignal;
}

/** A code to scan, renewed as it expires, and digits of the phone where it shows some. */
export function qrSetup(options: QrSetupOptions): ChannelSetup {
  const sessions = new Map<string, Session>();

  const sessionOf = (id: string): Session => {
    const session = sessions.get(id);
    if (!session) throw new Error("This setup has expired. Begin it again.");
    return session;
  };
  const stateOf = async (session: Session, ctx: ChannelSetupContext): Promise<SetupState> =>
    session.signIn ? signInState(session.signIn, session.service, ctx) : session.form;
  /** Shows the first code, or says at the form why there is none. */
  const showCode = async (session: Session, ctx: ChannelSetupContext): Promise<SetupState> => {
    const { service, signal } = session;
    const knownTokens = (await keptOf(ctx.credentialStore))?.tokens ?? [];
    const signIn = new SignIn({ ...optionsFor(service, options), knownTokens, signal });
    await signIn.begin();
    if (signIn.view.kind === "failed")
      session.form = form(session, `${signIn.view.message} ${cureFor(service)}`);
    else session.signIn = signIn;
    return stateOf(session, ctx);
  };

  return {
    begin: async (_input, ctx) => {
      const id = randomUUID();
      const over = new AbortController();
      const signal = ctx.signal ? AbortSignal.any([ctx.signal, over.signal]) : over.signal;
      const kept = ctx.reason === "sign_in_again" ? await keptOf(ctx.credentialStore) : null;
      const usual = kept?.service ?? "";
      const session: Session = { signIn: null, form: form({ usual }), service: usual, usual, over, signal };
      sessions.set(id, session);
      signal.addEventListener("abort", () => sessions.delete(id), { once: true });
      return { sessionId: id, state: kept ? await showCode(session, ctx) : session.form };
    },
    poll: async (id, ctx) => stateOf(sessionOf(id), ctx),
    submit: async (id, input, ctx) => {
      const session = sessionOf(id);
      if (session.signIn) {
        await session.signIn.answer(String(input.digits ?? "").replace(/\D/g, ""));
        return stateOf(session, ctx);
      }
      session.service = String(input.service ?? "").trim() || session.usual;
      const problem = serviceProblem(session.service);
      if (problem === null) return showCode(session, ctx);
      session.form = form(session, problem);
      return session.form;
    },
    cancel: async (id) => {
      sessions.get(id)?.over.abort();
      sessions.delete(id);
    },
  };
}

function form({ usual }: Pick<Session, "usual">, problem?: string): SetupState {
  return {
    kind: "awaiting_user_input",
    title: steps[0],
    steps,
    step: 0,
    instructions:
      "The agent gets a bot of its own in WeChat. Have the phone with your WeChat at hand: next you scan a code with it. Whoever scans it is the owner, who may write to the agent and decides what it is allowed to do. Others who write to it are told a code and wait until you let them in under People.",
    ...(problem !== undefined && { problem }),
    fields: [
      {
        key: "service",
        label: "Address of the WeChat service",
        type: "text",
        placeholder: usual || LOGIN_URL,
        help: "Leave it empty unless you reach WeChat through a server of your own.",
        advanced: true,
      },
    ],
  };
}

function cureFor(service: string): string {
  return service === ""
    ? "See whether this computer is online, then go on."
    : "See whether the address is right.";
}

function serviceProblem(service: string): string | null {
  if (service === "") return null;
  const url = URL.canParse(service) ? new URL(service) : null;
  return url && (url.protocol === "https:" || (url.protocol === "http:" && isLocal(url)))
    ? null
    : "The address of the service must begin with https://. Only one on this computer may begin with http://.";
}

/** Through a service that the person named, the sign-in may be sent on to that service, too. */
function optionsFor(service: string, options: QrSetupOptions): QrSetupOptions {
  if (service === "") return options;
  const named = new URL(service);
  const isTrusted = (address: URL) =>
    options.isTrusted(address) ||
    address.origin === named.origin ||
    (isLocal(named) && isLocal(address) && address.protocol === named.protocol);
  return { ...options, loginUrl: service, isTrusted };
}

const isLocal = ({ hostname }: URL) => hostname === "127.0.0.1" || hostname === "localhost";

async function signInState({ view }: SignIn, service: string, ctx: ChannelSetupContext): Promise<SetupState> {
  switch (view.kind) {
    case "code":
      return {
        kind: "awaiting_external",
        title: steps[1],
        steps,
        step: 1,
        instructions:
          "On your phone, open WeChat, press + at the top, then Scan, and hold it before this code. Your WeChat must be new enough to offer bots.",
        qrText: view.text,
        pollIntervalMs: 1_500,
        expiresInMs: view.expiresInMs,
        attempt: { number: view.number, of: view.of },
      };
    case "scanned":
      return {
        kind: "awaiting_external",
        title: steps[2],
        steps,
        step: 2,
        instructions: "The code was scanned. Confirm it on the phone.",
        pollIntervalMs: 1_500,
      };
    case "digits":
      return {
        kind: "awaiting_user_input",
        title: steps[2],
        steps,
        step: 2,
        instructions: "The phone shows some digits. Type them here.",
        ...(view.wrong && { problem: "These were not the digits. Type those that the phone shows now." }),
        fields: [{ key: "digits", label: "Digits on the phone", type: "text", required: true }],
      };
    case "failed":
      return { kind: "error", message: view.message };
    case "signed-in":
      return done(view.account, service, ctx);
    case "known":
      return doneAgain(ctx);
  }
}

async function done(
  account: SignedIn,
  service: string,
  { credentialStore }: ChannelSetupContext,
): Promise<SetupState> {
  const { botToken, baseUrl, botId, ownerId } = account;
  const older = (await keptOf(credentialStore))?.tokens ?? [];
  const tokens = [botToken, ...older].slice(0, MOST_TOKENS);
  const kept: Kept = { botToken, baseUrl, botId, tokens, service };
  // Stored as one text: every stored value is hidden wherever it is shown, and a bot's name should not be.
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
