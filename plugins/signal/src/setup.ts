import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { type ChannelClock, failureOf, listOf } from "@patchbay/plugin-sdk/channel";
import { SignalApi, SignalRefusal } from "./api.ts";
import { Linking, MOST_LINKS } from "./linking.ts";
import { serverProblem } from "./server-address.ts";
import { modeProblem } from "./transport.ts";
import { normalId } from "./wire.ts";

const steps = ["Server", "Link your phone"];
const NEW_LINK = "link";

interface Session {
  server: string;
  owners: string[];
  accounts: string[];
  linking: Linking | null;
  state: SetupState;
  over: AbortController;
  signal: AbortSignal;
}

/** A form for the server, then a code for the phone, unless the server is linked with one already. */
export function linkSetup(clock: ChannelClock): ChannelSetup {
  const sessions = new Map<string, Session>();
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id);
    if (!session) throw new Error("This setup has expired. Begin it again.");
    return session;
  };

  return {
    begin: async (_input, ctx: ChannelSetupContext) => {
      const id = randomUUID();
      const over = new AbortController();
      const signal = ctx.signal ? AbortSignal.any([ctx.signal, over.signal]) : over.signal;
      signal.addEventListener("abort", () => sessions.delete(id), { once: true });
      const state = form();
      sessions.set(id, { server: "", owners: [], accounts: [], linking: null, state, over, signal });
      return { sessionId: id, state };
    },
    poll: async (id) => {
      const session = sessionOf(id);
      if (session.linking) session.state = linkingState(session, session.linking);
      return session.state;
    },
    submit: async (id, input) => {
      const session = sessionOf(id);
      session.state = await next(session, input, clock);
      return session.state;
    },
    cancel: async (id) => {
      sessions.get(id)?.over.abort();
      sessions.delete(id);
    },
  };
}

async function next(
  session: Session,
  input: Record<string, unknown>,
  clock: ChannelClock,
): Promise<SetupState> {
  if (session.state.kind === "awaiting_choice") {
    const choice = String(input.choice ?? "");
    return choice === NEW_LINK ? startLinking(session, clock) : done(session, choice);
  }
  session.server = String(input.server ?? "").trim();
  const owners = listOf(String(input.owners ?? ""));
  session.owners = owners.map(normalId);
  const problem = serverProblem(session.server) ?? ownersProblem(owners) ?? (await problemOf(session, clock));
  if (problem !== null) return form(problem);
  if (session.accounts.length === 0) return startLinking(session, clock);
  return {
    kind: "awaiting_choice",
    title: steps[1],
    steps,
    step: 1,
    instructions: "The server is linked with a Signal account already. Which one is the agent to use?",
    options: [
      ...session.accounts.map((account) => ({ value: account, label: `Use ${account}` })),
      { value: NEW_LINK, label: "Link another account", help: "You scan a code with that account's phone." },
    ],
  };
}

/** What is wrong with the server; null when nothing is. Its accounts are known then. */
async function problemOf(session: Session, clock: ChannelClock): Promise<string | null> {
  const api = new SignalApi(session.server, clock);
  try {
    const { mode } = await api.about();
    session.accounts = await api.accounts();
    return modeProblem(mode);
  } catch (error) {
    if (error instanceof SignalRefusal)
      return `The server answered with status ${error.status}: ${error.message}.`;
    return failureOf(error).message;
  }
}

async function startLinking(session: Session, clock: ChannelClock): Promise<SetupState> {
  const { server, signal } = session;
  session.linking = new Linking({ server, deviceName: "Patchbay", clock, signal });
  await session.linking.begin();
  return linkingState(session, session.linking);
}

function linkingState(session: Session, linking: Linking): SetupState {
  const { view } = linking;
  switch (view.kind) {
    case "code":
      return {
        kind: "awaiting_external",
        title: steps[1],
        steps,
        step: 1,
        instructions:
          "On the phone whose account the agent is to use: open Signal, Settings, Linked devices, then Link new device, and scan this code.",
        qrText: view.text,
        pollIntervalMs: 1_500,
        expiresInMs: view.expiresInMs,
        attempt: { number: view.number, of: MOST_LINKS },
      };
    case "linked":
      return done(session, view.account);
    case "failed":
      return { kind: "error", message: view.message };
  }
}

function done({ server, owners }: Session, account: string): SetupState {
  return {
    kind: "done",
    config: { server, number: account, ...(owners.length > 0 && { owners }) },
    account,
  };
}

/** What is wrong with the names of the owners; null when nothing is. */
function ownersProblem(owners: readonly string[]): string | null {
  const wrong = owners.find(
    (owner) => !/^\+[\d\s()./-]{6,24}$/.test(owner) && !/^[\da-f-]{36}$/i.test(owner),
  );
  if (wrong === undefined) return null;
  return `“${wrong}” is no number with its country code. Write it as in +491701234567, without the leading 0 of the area.`;
}

/** What starts the server where Docker is. */
const command =
  'docker run -d --name signal -p 127.0.0.1:8080:8080 -v "$HOME/.local/share/signal-api:/home/.local/share/signal-cli" -e MODE=json-rpc bbernhard/signal-cli-rest-api';

function form(problem?: string): SetupState {
  return {
    kind: "awaiting_user_input",
    title: steps[0],
    steps,
    step: 0,
    instructions:
      "Signal offers nothing for programs: a small server of yours, signal-cli-rest-api, goes between. If none runs yet, the command below starts one at http://127.0.0.1:8080. It needs Docker.",
    ...(problem !== undefined && { problem }),
    page: { url: "https://github.com/bbernhard/signal-cli-rest-api", label: "About the server" },
    copy: { text: command, label: "Command that starts it" },
    fields: [
      {
        key: "server",
        label: "Address of the server",
        type: "text",
        required: true,
        placeholder: "http://127.0.0.1:8080",
      },
      {
        key: "owners",
        label: "Owners",
        type: "text",
        placeholder: "+491701234567",
        help: "Numbers of people who may write to the agent and decide what it is allowed to do, separated by commas. While nobody is named, nobody is answered.",
      },
    ],
  };
}
