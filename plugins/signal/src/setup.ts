import { randomUUID } from "node:crypto";
import type { ChannelSetup, ChannelSetupContext, SetupState } from "@patchbay/plugin-sdk";
import { type ChannelClock, failureOf, listOf } from "@patchbay/plugin-sdk/channel";
import { SignalApi, SignalRefusal } from "./api.ts";
import { Linking, MOST_LINKS } from "./linking.ts";
import { type FoundServer, findServers, nearby } from "./nearby.ts";
import { serverProblem } from "./server-address.ts";
import { modeProblem } from "./transport.ts";
import { normalId } from "./wire.ts";

const steps = ["Server", "Link the phone"];
const NEW_LINK = "link";

export interface LinkSetupOptions {
  clock: ChannelClock;
  /** Addresses on this computer at which a server is looked for. */
  addresses?: readonly string[];
}

interface Session {
  /** Where a server is looked for, and those that were found last. */
  addresses: readonly string[];
  found: FoundServer[];
  server: string;
  owners: string[];
  accounts: string[];
  linking: Linking | null;
  state: SetupState;
  over: AbortController;
  signal: AbortSignal;
}

/**
 * A form for the server, which is looked for on this computer, then a code for the phone, unless the server is linked
 * with one already.
 */
export function linkSetup({ clock, addresses = nearby }: LinkSetupOptions): ChannelSetup {
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
      const found = await findServers(addresses, clock);
      const state = form(found);
      sessions.set(id, {
        addresses,
        found,
        server: "",
        owners: [],
        accounts: [],
        linking: null,
        state,
        over,
        signal,
      });
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
    if (choice === NEW_LINK) return startLinking(session, clock);
    if (session.server !== "") return done(session, choice);
    session.server = choice;
    return withServer(session, clock);
  }
  const owners = listOf(String(input.owners ?? ""));
  session.owners = owners.map(normalId);
  session.server = String(input.server ?? "").trim();
  const problem = ownersProblem(owners);
  if (problem !== null) return form(session.found, problem);
  if (session.server !== "") return withServer(session, clock);
  session.found = await findServers(session.addresses, clock);
  const [only, second] = session.found;
  if (!only) return form([], "No Signal server was found on this computer. Start one, then go on.");
  if (second) return chooseServer(session.found);
  session.server = only.server;
  return withServer(session, clock);
}

/** Goes on with the server of the session. */
async function withServer(session: Session, clock: ChannelClock): Promise<SetupState> {
  const problem = serverProblem(session.server) ?? (await problemOf(session, clock));
  if (problem !== null) return form(session.found, problem);
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

function chooseServer(found: readonly FoundServer[]): SetupState {
  return {
    kind: "awaiting_choice",
    title: steps[0],
    steps,
    step: 0,
    instructions: "Several Signal servers run on this computer. Which one is the agent to use?",
    options: found.map(({ server, accounts }) => ({
      value: server,
      label: server,
      help: linkedWith(accounts),
    })),
  };
}

function linkedWith(accounts: readonly string[]): string {
  return accounts.length === 0 ? "Linked with no account yet." : `Linked with ${accounts.join(", ")}.`;
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
          "On the phone with the agent's number: open Signal, Settings, Linked devices, then Link new device, and scan this code.",
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

/**
 * What starts the server where Docker is, and again whenever Docker starts. In the mode json-rpc it hands messages over
 * as they come; in the others nobody would hear them.
 */
const command =
  'docker run -d --name signal-api --restart unless-stopped -p 127.0.0.1:8080:8080 -v "$HOME/.local/share/signal-api:/home/.local/share/signal-cli" -e MODE=json-rpc bbernhard/signal-cli-rest-api';

const ownNumber =
  "The agent needs a Signal account with a number of its own: a second SIM card will do, or a landline that can take a call. Link your own account only if the agent may write in your name and read what you are written.";
const toStart =
  "Signal has no door for programs, so a small server of yours goes between. The command below starts one in Docker, and again whenever Docker starts. MODE=json-rpc must stay: in the other modes the agent hears nothing. When it runs, go on: it is found by itself.";

function form(found: readonly FoundServer[], problem?: string): SetupState {
  const [only, second] = found;
  const state = {
    kind: "awaiting_user_input" as const,
    title: steps[0] ?? "",
    steps,
    step: 0,
    ...(problem !== undefined && { problem }),
    fields: [
      {
        key: "owners",
        label: "Your own number",
        type: "text" as const,
        placeholder: "+491701234567",
        help: "You may then write to the agent and decide what it is allowed to do. It may stay empty: write to the agent later, and let yourself in as an owner under People. Several numbers are separated by commas.",
      },
      {
        key: "server",
        label: "Address of the server",
        type: "text" as const,
        placeholder: only?.server ?? "http://127.0.0.1:8080",
        help: "Only for a server on another computer or at another port.",
        advanced: true,
      },
    ],
  };
  if (!only)
    return {
      ...state,
      instructions: `${ownNumber}\n\n${toStart}`,
      page: { url: "https://github.com/bbernhard/signal-cli-rest-api", label: "About the server" },
      copy: { text: command, label: "Command that starts it" },
    };
  const here = second
    ? "Several Signal servers run on this computer. Go on to choose one."
    : `A Signal server runs on this computer already, at ${only.server}. ${linkedWith(only.accounts)}`;
  return { ...state, instructions: `${ownNumber}\n\n${here}` };
}
