import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { askWithoutOwner, kindOfToken } from "@patchbay/plugin-sdk/channel";
import { slackCode, slackFailure } from "./errors.ts";
import { appManifest, newAppLink } from "./manifest.ts";
import { settingsSchema } from "./settings.ts";
import { openWeb } from "./transport.ts";

const steps = ["App", "Tokens", "Owner"];

interface Session {
  reason: ChannelSetupContext["reason"];
  slackApiUrl: string;
  botToken: string;
  appToken: string;
  account: string;
  state: SetupState;
}

/** The wizard: make the app from a manifest, paste its two tokens, with a live proof, then say who the owner is. */
export function slackSetup(): ChannelSetup {
  const sessions = new Map<string, Session>();
  return {
    async begin(_input, { reason }) {
      const sessionId = randomUUID();
      const state = reason === "first" || reason === undefined ? askApp() : askTokens(reason);
      const { slackApiUrl } = settingsSchema.parse({});
      sessions.set(sessionId, { reason, slackApiUrl, botToken: "", appToken: "", account: "", state });
      return { sessionId, state };
    },
    async submit(sessionId, input, ctx) {
      const session = sessions.get(sessionId);
      if (!session) return expired;
      session.state = await next(session, input, ctx);
      return session.state;
    },
    async poll(sessionId) {
      return sessions.get(sessionId)?.state ?? expired;
    },
    async cancel(sessionId) {
      sessions.delete(sessionId);
    },
  };
}

const expired: SetupState = { kind: "error", message: "This setup is over. Begin again." };

async function next(
  session: Session,
  input: Record<string, unknown>,
  _ctx: ChannelSetupContext,
): Promise<SetupState> {
  const { state } = session;
  if (state.kind === "awaiting_choice") {
    return input.choice === "everyone" ? done(session, { everyone: true }) : askOwner(session);
  }
  if (state.kind !== "awaiting_user_input") return state;
  const typed = (key: string) => (typeof input[key] === "string" ? input[key].trim() : "");
  switch (state.step) {
    case 0: {
      const name = typed("name");
      return name !== "" && name !== nameIn(state) ? askApp(name) : askTokens(session.reason);
    }
    case 1:
      return takeTokens(session, typed("botToken"), typed("appToken"), typed("slackApiUrl"));
    default:
      return takeOwner(session, typed("owner"));
  }
}

const firstName = "Patchbay";

function askApp(name = firstName): SetupState {
  const manifest = appManifest(name);
  return {
    kind: "awaiting_user_input",
    title: "An app for your workspace",
    instructions: `People in Slack write to an app, which you make once for your workspace:
1. Open the page below and choose the workspace. Everything is filled in already; press Next, then Create. (If nothing is filled in, choose From a manifest and paste the one below.)
2. There, press Install to Workspace and allow it. Then come back and go on.`,
    page: { url: newAppLink(manifest), label: "Create the app at Slack" },
    copy: { text: manifest, label: "App manifest" },
    fields: [
      {
        key: "name",
        label: "Another name for the app",
        type: "text",
        placeholder: name,
        help: "Type one and press Continue: the page and the manifest change.",
      },
    ],
    steps,
    step: 0,
  };
}

function nameIn(state: Extract<SetupState, { kind: "awaiting_user_input" }>): string | undefined {
  return state.fields[0]?.placeholder;
}

function askTokens(reason: Session["reason"], problem?: string): SetupState {
  const why = reason === "sign_in_again" ? "Slack does not accept the tokens any more. " : "";
  return {
    kind: "awaiting_user_input",
    title: "The two tokens of the app",
    instructions: `${why}Both are on the page of your app:
1. The bot token is under OAuth & Permissions.
2. The app-level token you make under Basic Information, App-Level Tokens: press Generate, add the scope connections:write, and copy it.`,
    ...(problem !== undefined && { problem }),
    page: { url: "https://api.slack.com/apps", label: "Your Slack apps" },
    fields: [
      { key: "botToken", label: "Bot token", type: "password", required: true, placeholder: "xoxb-…" },
      { key: "appToken", label: "App-level token", type: "password", required: true, placeholder: "xapp-…" },
      {
        key: "slackApiUrl",
        label: "Address of Slack's API",
        type: "text",
        placeholder: settingsSchema.parse({}).slackApiUrl,
        help: "Only for GovSlack or a proxy.",
      },
    ],
    steps,
    step: 1,
  };
}

async function takeTokens(session: Session, bot: string, app: string, address: string): Promise<SetupState> {
  const again = (problem: string) => askTokens(session.reason, problem);
  const [botKind, appKind] = [kindOfToken(bot), kindOfToken(app)];
  if (botKind === "an app-level token of Slack" && appKind === "a bot token of Slack") {
    return takeTokens(session, app, bot, address);
  }
  if (botKind !== "a bot token of Slack") return again(wrong("bot token", "xoxb-", botKind));
  if (appKind !== "an app-level token of Slack") return again(wrong("app-level token", "xapp-", appKind));
  if (address !== "") {
    const url = settingsSchema.shape.slackApiUrl.safeParse(address);
    if (!url.success) return again("The address of Slack's API must begin with https://.");
    session.slackApiUrl = url.data;
  }
  Object.assign(session, { botToken: bot, appToken: app });
  try {
    const me = await openWeb(bot, session.slackApiUrl).auth.test();
    session.account = `@${me.user} in ${me.team}`;
  } catch (error) {
    return again(refusal("bot token", error));
  }
  try {
    await openWeb(app, session.slackApiUrl).apps.connections.open({});
  } catch (error) {
    return again(refusal("app-level token", error));
  }
  return session.reason === "first" || session.reason === undefined ? askOwner(session) : done(session, {});
}

function wrong(what: string, prefix: string, kind: string | null): string {
  return kind === null
    ? `The ${what} begins with ${prefix}; this does not.`
    : `This is ${kind}. The ${what} begins with ${prefix}.`;
}

function refusal(what: string, error: unknown): string {
  const code = slackCode(error);
  if (code === "missing_scope") {
    return `The ${what} lacks a permission. Generate it again, with the scope connections:write.`;
  }
  const { kind, message } = slackFailure(error);
  if (kind === "credentials") return `Slack refused the ${what} (${code}). Copy it again, all of it.`;
  return `Slack could not be asked about the ${what}: ${message.replace(/\.$/, "")}. Try again.`;
}

function askOwner(session: Session, problem?: string): SetupState {
  return {
    kind: "awaiting_user_input",
    title: "Who is the owner?",
    instructions: `Connected as ${session.account}. The owner may write to the agent and decides what it is allowed to do. For your member id, open your profile in Slack, press the three dots and choose Copy member ID.`,
    ...(problem !== undefined && { problem }),
    fields: [
      {
        key: "owner",
        label: "Member id",
        type: "text",
        placeholder: "U012AB3CD",
        help: "Leave it empty when nobody is to own it; you are asked who may write then.",
      },
    ],
    steps,
    step: 2,
  };
}

async function takeOwner(session: Session, owner: string): Promise<SetupState> {
  if (owner === "") return askWithoutOwner("Everybody in the workspace may write", { steps, step: 2 });
  if (!/^[UW][A-Z0-9]{2,20}$/.test(owner)) {
    return askOwner(session, "A member id looks like U012AB3CD. A name will not do: it can change.");
  }
  try {
    await openWeb(session.botToken, session.slackApiUrl).users.info({ user: owner });
  } catch (error) {
    if (slackCode(error) === "user_not_found")
      return askOwner(session, "Nobody in the workspace has this id.");
  }
  return done(session, { owners: [owner] });
}

function done(
  { botToken, appToken, slackApiUrl, account }: Session,
  more: Record<string, unknown>,
): SetupState {
  return { kind: "done", config: { botToken, appToken, slackApiUrl, ...more }, account };
}
