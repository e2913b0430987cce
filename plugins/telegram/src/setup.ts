import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { kindOfToken } from "@patchbay/plugin-sdk/channel";
import type { UserFromGetMe } from "grammy/types";
import type { Api } from "grammy/web";
import { openApi, signalOf } from "./bot-api.ts";
import { telegramFailure } from "./errors.ts";
import { GroupChoice } from "./group-choice.ts";
import { settingsSchema } from "./settings.ts";
import { wantedUpdates } from "./updates.ts";

const steps = ["Bot", "Owner", "Groups"];
/** Milliseconds between two questions whether the owner has written to the bot. */
const POLL_MS = 1_500;
/** Seconds; the wizard waits for it. */
const REQUEST_SECONDS = 8;

interface Session {
  reason: ChannelSetupContext["reason"];
  token: string;
  apiRoot: string;
  bot: UserFromGetMe | null;
  /** The code that the owner's phone sends, so that the bot learns who the owner is. */
  code: string;
  /** What the owner's step gave for the settings; null before that. */
  people: Record<string, unknown> | null;
  groups: GroupChoice;
  /** What was last shown, for polls that change nothing. */
  state: SetupState;
}

/** The wizard: the token with a live proof, then who the owner is. */
export function telegramSetup(): ChannelSetup {
  const sessions = new Map<string, Session>();
  const show = (session: Session, state: SetupState): SetupState => {
    session.state = state;
    return state;
  };
  return {
    async begin(input, ctx) {
      const sessionId = randomUUID();
      const apiRoot = typeof input.apiRoot === "string" ? input.apiRoot : settingsSchema.parse({}).apiRoot;
      const state = askToken(ctx);
      sessions.set(sessionId, {
        reason: ctx.reason,
        token: "",
        apiRoot,
        bot: null,
        people: null,
        groups: new GroupChoice({ steps, step: 2, pollIntervalMs: POLL_MS }),
        code: randomUUID().replaceAll("-", ""),
        state,
      });
      return { sessionId, state };
    },
    async submit(sessionId, input, ctx) {
      const session = sessions.get(sessionId);
      if (!session) return expired;
      if (typeof input.token === "string") return show(session, await takeToken(session, input, ctx));
      if (typeof input.owner === "string") return show(session, await takeOwner(session, input.owner.trim()));
      if (session.people) {
        const next = session.groups.take(String(input.choice), linkOf(session, "startgroup"));
        return show(session, next ?? done(session, { ...session.people, ...session.groups.settings }));
      }
      switch (input.choice) {
        case "phone":
          return show(session, showLink(session));
        case "id":
          return show(session, askOwner());
        case "later":
          return show(session, await withPeople(session, {}));
        case "everyone":
          return show(session, await withPeople(session, { everyone: true }));
        default:
          return session.state;
      }
    },
    async poll(sessionId) {
      const session = sessions.get(sessionId);
      if (!session) return expired;
      if (session.state.kind !== "awaiting_external") return session.state;
      if (!session.people) return show(session, await findOwner(session));
      await lookAround(session).catch(() => {});
      return show(session, session.groups.added() ?? session.state);
    },
    async cancel(sessionId) {
      sessions.delete(sessionId);
    },
  };
}

const expired: SetupState = { kind: "error", message: "This setup is over. Begin again." };

const how = `People write to a bot, which you make in Telegram:
1. Open @BotFather and send it /newbot.
2. Choose a name, then a user name that ends in "bot".
3. At the end it gives you a token. Copy all of it and paste it here.`;
const howAgain =
  "Telegram does not accept the bot's token any more. Send /token to @BotFather, choose the bot and paste the new token here.";

function askToken({ reason }: Pick<ChannelSetupContext, "reason">, problem?: string): SetupState {
  return {
    kind: "awaiting_user_input",
    title: "Your bot",
    instructions: reason === "sign_in_again" ? howAgain : how,
    ...(problem !== undefined && { problem }),
    page: { url: "https://t.me/BotFather", label: "Open @BotFather" },
    fields: [
      {
        key: "token",
        label: "Bot token",
        type: "password",
        required: true,
        placeholder: "123456789:AA…",
        help: "Whoever has it can speak as the bot: show it to nobody.",
      },
      {
        key: "apiRoot",
        label: "Bot API server",
        type: "text",
        placeholder: settingsSchema.parse({}).apiRoot,
        help: "Leave it empty unless you run a server of your own.",
        advanced: true,
      },
    ],
    steps,
    step: 0,
  };
}

async function takeToken(
  session: Session,
  input: Record<string, unknown>,
  { signal }: ChannelSetupContext,
): Promise<SetupState> {
  const token = String(input.token).trim();
  const kind = kindOfToken(token);
  if (kind !== "a token of a Telegram bot") {
    const seems =
      kind === null ? "This is no token of a Telegram bot" : `This is ${kind}, not of a Telegram bot`;
    return askToken(session, `${seems}. One looks like 123456789:AAE… and comes from @BotFather.`);
  }
  if (typeof input.apiRoot === "string" && input.apiRoot.trim() !== "") {
    const address = settingsSchema.shape.apiRoot.safeParse(input.apiRoot.trim());
    if (!address.success)
      return askToken(session, "The address of the Bot API server must begin with https://.");
    session.apiRoot = address.data;
  }
  session.token = token;
  try {
    session.bot = await apiOf(session).getMe(signalOf(signal));
  } catch (error) {
    const failure = telegramFailure(error);
    return askToken(
      session,
      failure.kind === "credentials"
        ? "Telegram refused this token. Copy it again from @BotFather, all of it; after /revoke only the newest one works."
        : `Telegram could not be asked: ${failure.message.replaceAll(token, "•••")}. Try again.`,
    );
  }
  return session.reason === "first" || session.reason === undefined ? askWho(session) : done(session, {});
}

function askWho({ bot }: Session): SetupState {
  return {
    kind: "awaiting_choice",
    title: "Who is the owner?",
    instructions: `Connected as @${bot?.username}. The owner may write to the agent and decides what it is allowed to do. Everybody else is told a code and waits until you let them in.`,
    options: [
      { value: "phone", label: "Me, on my phone", help: "Scan a code, or open a link, and press Start." },
      { value: "id", label: "I know the Telegram id", help: "A number such as 123456789." },
      {
        value: "later",
        label: "Later",
        help: "Whoever writes to the bot is told a code. You let them in under People, yourself as the owner.",
      },
      {
        value: "everyone",
        label: "No owner; anybody may write",
        help: "Everybody who finds the bot can talk with the agent.",
      },
    ],
    steps,
    step: 1,
  };
}

function askOwner(problem?: string): SetupState {
  return {
    kind: "awaiting_user_input",
    title: "Who is the owner?",
    instructions: "Bots such as @userinfobot tell you your id.",
    ...(problem !== undefined && { problem }),
    fields: [{ key: "owner", label: "Telegram id", type: "text", required: true, placeholder: "123456789" }],
    steps,
    step: 1,
  };
}

async function takeOwner(session: Session, owner: string): Promise<SetupState> {
  return /^\d{1,20}$/.test(owner)
    ? withPeople(session, { owners: [owner] })
    : askOwner("A Telegram id is a number. A user name will not do: it can change hands.");
}

/** Who may write is known; next the groups, unless the bot may be in none. */
async function withPeople(session: Session, people: Record<string, unknown>): Promise<SetupState> {
  session.people = people;
  if (session.bot?.can_join_groups === false) return done(session, people);
  // A list that cannot be had now is empty; the groups can be chosen later, too.
  await lookAround(session).catch(() => {});
  return session.groups.ask();
}

/** Notes the groups in the updates that wait for the bot. They are not confirmed, so the channel gets them later. */
async function lookAround(session: Session): Promise<void> {
  const api = apiOf(session);
  await api.deleteWebhook();
  const updates = await api.getUpdates({ timeout: 0, limit: 100, allowed_updates: wantedUpdates });
  for (const update of updates) session.groups.seen.take(update);
}

/** A link that makes Telegram send the code to the bot, in the person's chat or in a group of their choice. */
function linkOf({ bot, code }: Session, where: "start" | "startgroup"): string {
  return `https://t.me/${bot?.username}?${where}=${code}`;
}

function showLink(session: Session, problem = ""): SetupState {
  const { bot } = session;
  const link = linkOf(session, "start");
  return {
    kind: "awaiting_external",
    title: "Who is the owner?",
    instructions:
      problem ||
      `Scan this with your phone, or open the link where you use Telegram. Then press Start in the chat with @${bot?.username}.`,
    qrText: link,
    redirectUrl: link,
    pollIntervalMs: POLL_MS,
    steps,
    step: 1,
  };
}

/**
 * Looks for the owner's code among the updates that wait for the bot. The updates are not confirmed, so the channel
 * gets them later.
 */
async function findOwner(session: Session): Promise<SetupState> {
  const api = apiOf(session);
  try {
    await api.deleteWebhook();
    const updates = await api.getUpdates({
      timeout: 0,
      limit: 100,
      allowed_updates: wantedUpdates,
    });
    const start = updates.find(({ message }) => message?.text === `/start ${session.code}`)?.message;
    if (start?.from) return withPeople(session, { owners: [String(start.from.id)] });
    // Telegram returns at most 100 updates. When as many wait, the older half is confirmed, so that the code can be
    // seen.
    const middle = updates[50];
    if (updates.length === 100 && middle)
      await api.getUpdates({ offset: middle.update_id, limit: 1, timeout: 0 });
    return showLink(session);
  } catch (error) {
    const { kind, message } = telegramFailure(error);
    if (kind === "credentials")
      return askToken(session, "Telegram refused the token just now. Paste the newest one.");
    return showLink(session, message.replaceAll(session.token, "•••"));
  }
}

function done({ bot, token, apiRoot }: Session, more: Record<string, unknown>): SetupState {
  return { kind: "done", config: { token, apiRoot, ...more }, account: `@${bot?.username}` };
}

function apiOf({ token, apiRoot }: Session): Api {
  return openApi(token, apiRoot, REQUEST_SECONDS);
}
