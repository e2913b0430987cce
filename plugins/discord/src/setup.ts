import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { kindOfToken, listOf } from "@patchbay/plugin-sdk/channel";
import { type APIApplication, type APIUser, ApplicationFlags, REST, Routes } from "discord.js";
import { discordFailure } from "./errors.ts";
import { channelsOf, type Guild, guildsOf } from "./guilds.ts";
import { settingsSchema } from "./settings.ts";
import { restOptions } from "./transport.ts";

const steps = ["Bot", "Server", "Channels"];
const portal = "https://discord.com/developers/applications";
/** See, write, read what was written, send files, react, in threads too. */
const PERMISSIONS = "274878024768";
/** Milliseconds between two looks whether the bot was invited. */
const LOOK_EVERY_MS = 2_000;

interface Session {
  reason: ChannelSetupContext["reason"];
  token: string;
  apiUrl: string;
  applicationId: string;
  name: string;
  state: SetupState;
}

/**
 * The wizard: the token with a live proof, then the invitation, which is looked for, then the channels. Who may write needs
 * no ids: people are told a code and let in.
 */
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
      if (session.state.kind !== "awaiting_user_input") return session.state;
      session.state =
        session.state.step === 0
          ? await takeToken(session, typed("token"), typed("apiUrl"))
          : await takeChannels(session, listOf(typed("channels")), typed("owner"));
      return session.state;
    },
    async poll(sessionId) {
      const session = sessions.get(sessionId);
      if (!session) return expired;
      if (session.state.kind === "awaiting_external") session.state = await askWhere(session);
      return session.state;
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
        advanced: true,
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
  return session.reason === "first" || session.reason === undefined ? askWhere(session) : done(session, {});
}

function readsMessages(flags: number): boolean {
  const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
  return (flags & granted) !== 0;
}

function inviteOf({ applicationId }: Session): string {
  const invite = new URL("https://discord.com/oauth2/authorize");
  invite.searchParams.set("client_id", applicationId);
  invite.searchParams.set("scope", "bot applications.commands");
  invite.searchParams.set("permissions", PERMISSIONS);
  return invite.href;
}

/** Waits until the bot is on a server; then asks in which channels it answers. @param problem what was wrong there */
async function askWhere(session: Session, problem?: string): Promise<SetupState> {
  const rest = new REST(restOptions(session.apiUrl)).setToken(session.token);
  const guilds = await guildsOf(rest).catch(() => []);
  return guilds.length === 0 ? awaitInvitation(session) : askChannels(session, rest, guilds, problem);
}

function awaitInvitation(session: Session): SetupState {
  return {
    kind: "awaiting_external",
    title: "Invite the bot",
    instructions: `Connected as @${session.name}. It is on no server yet, and people can write to it only if they share one with it.
Open the page below, choose a server that you may manage, and press Authorise. This goes on by itself as soon as the bot is there.`,
    redirectUrl: inviteOf(session),
    pollIntervalMs: LOOK_EVERY_MS,
    steps,
    step: 1,
  };
}

async function askChannels(
  session: Session,
  rest: REST,
  guilds: readonly Guild[],
  problem?: string,
): Promise<SetupState> {
  const lacking = guilds.filter(({ lacks }) => lacks.length > 0);
  const channels = await channelsOf(rest, guilds);
  const where = guilds.map(({ name }) => name).join(", ");
  const lines = [
    `Connected as @${session.name}. It is on: ${where}.`,
    ...lacking.flatMap(({ name, lacks }) => [
      `On ${name} it lacks these rights; invite it again with the link below:`,
      ...lacks,
    ]),
    "Somebody who writes to it directly is told a code, and you let them in under People; you begin like that, too: write to it, and let yourself in there as an owner. It can also answer in channels, when it is mentioned or replied to there.",
  ];
  return {
    kind: "awaiting_user_input",
    title: "Where does it answer?",
    instructions: lines.join("\n"),
    ...(problem !== undefined && { problem }),
    page: { url: inviteOf(session), label: "Invite the bot to a server" },
    fields: [
      {
        key: "channels",
        label: "Channels",
        type: "choices",
        options: [
          ...channels.map(({ id, name, guild }) => ({
            value: id,
            label: `#${name}`,
            ...(guilds.length > 1 && { help: guild }),
          })),
          { value: `again-${randomUUID().slice(0, 8)}`, label: "I have just invited it: look again" },
        ],
        help: "Only people who are let in are answered there.",
      },
      {
        key: "owner",
        label: "User id of the owner",
        type: "text",
        placeholder: "123456789012345678",
        help: "Only if you want to name the owner here. In Discord: Settings, Advanced, Developer mode; then right-click your name, Copy User ID.",
        advanced: true,
      },
    ],
    steps,
    step: 2,
  };
}

async function takeChannels(session: Session, picked: readonly string[], owner: string): Promise<SetupState> {
  if (picked.some((value) => value.startsWith("again-"))) return askWhere(session);
  const groups = picked.length > 0 ? { groups: picked } : {};
  if (owner === "") return done(session, groups);
  return /^\d{15,22}$/.test(owner)
    ? done(session, { ...groups, owners: [owner] })
    : askWhere(session, "A user id is a number of 17 digits or more. A name will not do: it can change.");
}

function done({ token, apiUrl, name }: Session, more: Record<string, unknown>): SetupState {
  return { kind: "done", config: { token, apiUrl, ...more }, account: `@${name}` };
}
