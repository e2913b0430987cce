import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { askWithoutOwner, kindOfToken } from "@patchbay/plugin-sdk/channel";
import { type APIApplication, type APIUser, ApplicationFlags, REST, Routes } from "discord.js";
import { discordFailure } from "./errors.ts";
import { settingsSchema } from "./settings.ts";
import { restOptions } from "./transport.ts";

const steps = ["Bot", "Owner"];
const portal = "https://discord.com/developers/applications";
/** See, write, read what was written, send files, in threads too. */
const PERMISSIONS = "274878024768";

interface Session {
  reason: ChannelSetupContext["reason"];
  token: string;
  apiUrl: string;
  applicationId: string;
  name: string;
  state: SetupState;
}

/** The wizard: the token with a live proof, then the invitation and who the owner is. */
export function discordSetup(): ChannelSetup {
  const sessions = new Map<string, Session>();
  return {
    async begin(_input, { reason }) {
      const sessionId = randomUUID();
      const { apiUrl } = settingsSchema.parse({});
      const state = askToken(reason);
      sessions.set(sessionId, { reason, token: "", apiUrl, applicationId: "", name: "", state });
      return { sessionId, state };
    },
    async submit(sessionId, input) {
      const session = sessions.get(sessionId);
      if (!session) return expired;
      const typed = (key: string) => (typeof input[key] === "string" ? input[key].trim() : "");
      if (session.state.kind === "awaiting_choice") {
        const all = input.choice === "everyone";
        session.state = all ? done(session, { everyone: true }) : askOwner(session);
        return session.state;
      }
      const atToken = session.state.kind === "awaiting_user_input" && session.state.step === 0;
      session.state = atToken
        ? await takeToken(session, typed("token"), typed("apiUrl"))
        : takeOwner(session, typed("owner"));
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

const how = `A bot is made on Discord's developer portal:
1. Press New Application, or open the one that you have.
2. On its page Bot, switch on Message Content Intent and save.
3. There, press Reset Token, copy the token and paste it here. Discord shows it only once.`;

function askToken(reason: Session["reason"], problem?: string): SetupState {
  const why = reason === "sign_in_again" ? "Discord does not accept the bot's token any more. " : "";
  return {
    kind: "awaiting_user_input",
    title: "Your bot",
    instructions: `${why}${how}`,
    ...(problem !== undefined && { problem }),
    page: { url: portal, label: "Open the developer portal" },
    fields: [
      {
        key: "token",
        label: "Bot token",
        type: "password",
        required: true,
        help: "Whoever has it can speak as the bot: show it to nobody.",
      },
      {
        key: "apiUrl",
        label: "Address of Discord's API",
        type: "text",
        placeholder: settingsSchema.parse({}).apiUrl,
        help: "Leave it empty unless you use a proxy.",
      },
    ],
    steps,
    step: 0,
  };
}

async function takeToken(session: Session, token: string, address: string): Promise<SetupState> {
  const again = (problem: string) => askToken(session.reason, problem);
  const kind = kindOfToken(token);
  if (kind !== "a token of a Discord bot") {
    const seems =
      kind === null ? "This is no token of a Discord bot" : `This is ${kind}, not of a Discord bot`;
    return again(
      `${seems}. One has three parts with dots between them; the application's id or its client secret will not do.`,
    );
  }
  if (address !== "") {
    const url = settingsSchema.shape.apiUrl.safeParse(address);
    if (!url.success) return again("The address of Discord's API must begin with https://.");
    session.apiUrl = url.data;
  }
  session.token = token;
  const rest = new REST(restOptions(session.apiUrl)).setToken(token);
  try {
    const user = (await rest.get(Routes.user())) as APIUser;
    const application = (await rest.get(Routes.currentApplication())) as APIApplication;
    session.name = user.username;
    session.applicationId = application.id;
    if (!readsMessages(application.flags ?? 0)) {
      return again(
        `The token is good (@${user.username}), but the bot may not read messages: switch on Message Content Intent on the page Bot of the developer portal, save, and press Continue again.`,
      );
    }
  } catch (error) {
    const failure = discordFailure(error);
    return again(
      failure.kind === "credentials"
        ? "Discord refused this token. Press Reset Token in the developer portal and paste the new one."
        : `Discord could not be asked: ${failure.message}. Try again.`,
    );
  }
  return session.reason === "first" || session.reason === undefined ? askOwner(session) : done(session, {});
}

function readsMessages(flags: number): boolean {
  const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
  return (flags & granted) !== 0;
}

function askOwner({ name, applicationId }: Session, problem?: string): SetupState {
  const invite = new URL("https://discord.com/oauth2/authorize");
  invite.searchParams.set("client_id", applicationId);
  invite.searchParams.set("scope", "bot applications.commands");
  invite.searchParams.set("permissions", PERMISSIONS);
  return {
    kind: "awaiting_user_input",
    title: "Who is the owner?",
    instructions: `Connected as @${name}.
1. Invite the bot to a server that you are on too. Without one nobody can write to it.
2. Say who the owner is: they may write to the agent and decide what it is allowed to do. For your user id, switch on Developer mode in Discord (Settings, Advanced), then right-click your name and choose Copy User ID.`,
    ...(problem !== undefined && { problem }),
    page: { url: invite.href, label: "Invite the bot to a server" },
    fields: [
      {
        key: "owner",
        label: "User id",
        type: "text",
        placeholder: "123456789012345678",
        help: "Leave it empty when nobody is to own it; you are asked who may write then.",
      },
    ],
    steps,
    step: 1,
  };
}

function takeOwner(session: Session, owner: string): SetupState {
  if (owner === "") return askWithoutOwner("Everybody on those servers may write", { steps, step: 1 });
  return /^\d{15,22}$/.test(owner)
    ? done(session, { owners: [owner] })
    : askOwner(session, "A user id is a number of 17 digits or more. A name will not do: it can change.");
}

function done({ token, apiUrl, name }: Session, more: Record<string, unknown>): SetupState {
  return { kind: "done", config: { token, apiUrl, ...more }, account: `@${name}` };
}
