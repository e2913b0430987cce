import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupField, SetupState } from "@patchbay/plugin-sdk";
import { kindOfToken, listOf } from "@patchbay/plugin-sdk/channel";
import { type ListedChannel, listChannels } from "./channel-list.ts";
import { slackCode, slackFailure } from "./errors.ts";
import { appManifest, commandOfApp, newAppLink } from "./manifest.ts";
import { settingsSchema } from "./settings.ts";
import { openWeb } from "./transport.ts";

const steps = ["App", "Tokens", "Channels"];

interface Session {
  reason: ChannelSetupContext["reason"];
  /** Of the agent's chats. */
  language: string | undefined;
  slackApiUrl: string;
  botToken: string;
  appToken: string;
  account: string;
  /** The app's name in Slack. */
  name: string;
  state: SetupState;
}

/**
 * The wizard: make the app from a manifest, paste its two tokens, with a live proof, then pick the channels. Who may write
 * needs no ids: people are told a code and let in.
 */
export function slackSetup(): ChannelSetup {
  const sessions = new Map<string, Session>();
  return {
    async begin(_input, { reason, agentId, language }) {
      const sessionId = randomUUID();
      const state =
        reason === "first" || reason === undefined ? askApp(nameOf(agentId), language) : askTokens(reason);
      const { slackApiUrl } = settingsSchema.parse({});
      const empty = { botToken: "", appToken: "", account: "", name: "" };
      sessions.set(sessionId, { reason, language, slackApiUrl, ...empty, state });
      return { sessionId, state };
    },
    async submit(sessionId, input) {
      const session = sessions.get(sessionId);
      if (!session) return expired;
      session.state = await next(session, input);
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

async function next(session: Session, input: Record<string, unknown>): Promise<SetupState> {
  const { state } = session;
  if (state.kind !== "awaiting_user_input") return state;
  const typed = (key: string) => (typeof input[key] === "string" ? input[key].trim() : "");
  switch (state.step) {
    case 0: {
      const name = typed("name");
      return name !== "" && name !== nameIn(state)
        ? askApp(name, session.language)
        : askTokens(session.reason);
    }
    case 1:
      return takeTokens(session, typed("botToken"), typed("appToken"), typed("slackApiUrl"));
    default:
      return takeChannels(session, listOf(typed("channels")), typed("owner"));
  }
}

/** Two agents in one workspace need two apps, so each begins with a name of its own. */
function nameOf(agentId: string): string {
  const words = agentId.replace(/[-_]+/g, " ").trim();
  return words === "" ? "Patchbay" : words.charAt(0).toUpperCase() + words.slice(1);
}

function askApp(name: string, language: string | undefined): SetupState {
  const manifest = appManifest(name, language);
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
        help: `Type one and press Continue: the page and the manifest change. Its command in Slack is ${commandOfApp(name)}; each agent needs an app, a name and a command of its own.`,
      },
    ],
    steps,
    step: 0,
  };
}

function nameIn(state: Extract<SetupState, { kind: "awaiting_user_input" }>): string | undefined {
  return state.fields[0]?.placeholder;
}

const bothTokens = `Both are on the page of your app:
1. The bot token is under OAuth & Permissions.
2. The app-level token you make under Basic Information, App-Level Tokens: press Generate, add the scope connections:write, and copy it.`;

function askTokens(reason: Session["reason"], problem?: string): SetupState {
  const why = reason === "sign_in_again" ? "Slack does not accept the tokens any more. " : "";
  return {
    kind: "awaiting_user_input",
    title: "The two tokens of the app",
    instructions: `${why}${bothTokens}`,
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
        advanced: true,
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
    session.name = me.user ?? "";
  } catch (error) {
    return again(refusal("bot token", error));
  }
  try {
    await openWeb(app, session.slackApiUrl).apps.connections.open({});
  } catch (error) {
    return again(refusal("app-level token", error));
  }
  return session.reason === "first" || session.reason === undefined
    ? askChannels(session)
    : done(session, {});
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

/** The choice that asks for the list again. Its value differs each time, so that it is not picked in the new list. */
const again = () => `again-${randomUUID().slice(0, 8)}`;

async function askChannels(session: Session, problem?: string): Promise<SetupState> {
  const web = openWeb(session.botToken, session.slackApiUrl);
  const channels = await listChannels(web).catch(() => null);
  const { account, name } = session;
  const whoever = `Connected as ${account}. Somebody who writes to it directly is told a code, and you let them in under People; you begin like that, too: write to it, and let yourself in there as an owner.`;
  const inChannels = channels
    ? `It can also answer in channels, when it is mentioned there. To put it into one, write /invite @${name} in the channel.`
    : "Slack does not let this app list its channels (it was made without channels:read). Put their ids into the settings.";
  return {
    kind: "awaiting_user_input",
    title: "Where does it answer?",
    instructions: [whoever, inChannels].join("\n"),
    ...(problem !== undefined && { problem }),
    fields: [
      ...(channels ? [fieldOf(channels)] : []),
      {
        key: "owner",
        label: "Member id of the owner",
        type: "text",
        placeholder: "U012AB3CD",
        help: "Only if you want to name the owner here. In Slack: your profile, the three dots, Copy member ID.",
        advanced: true,
      },
    ],
    steps,
    step: 2,
  };
}

function fieldOf(channels: readonly ListedChannel[]): SetupField {
  return {
    key: "channels",
    label: "Channels",
    type: "choices",
    options: [
      ...channels.map(({ id, name, isPrivate }) => ({
        value: id,
        label: `#${name}`,
        ...(isPrivate && { help: "private" }),
      })),
      { value: again(), label: "I have just invited it: look again" },
    ],
    help:
      channels.length > 0
        ? "Those that the app was invited to. Only people who are let in are answered there."
        : "The app was not invited to any channel yet.",
  };
}

async function takeChannels(session: Session, picked: readonly string[], owner: string): Promise<SetupState> {
  if (picked.some((value) => value.startsWith("again-"))) return askChannels(session);
  const groups = picked.length > 0 ? { groups: picked } : {};
  if (owner === "") return done(session, groups);
  if (!/^[UW][A-Z0-9]{2,20}$/.test(owner)) {
    return askChannels(session, "A member id looks like U012AB3CD. A name will not do: it can change.");
  }
  try {
    await openWeb(session.botToken, session.slackApiUrl).users.info({ user: owner });
  } catch (error) {
    if (slackCode(error) === "user_not_found")
      return askChannels(session, "Nobody in the workspace has this id.");
  }
  return done(session, { ...groups, owners: [owner] });
}

function done(
  { botToken, appToken, slackApiUrl, account }: Session,
  more: Record<string, unknown>,
): SetupState {
  return { kind: "done", config: { botToken, appToken, slackApiUrl, ...more }, account };
}
