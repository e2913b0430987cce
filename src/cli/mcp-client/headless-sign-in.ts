import { PatchbayError } from "../../contract/index.ts";
import type { SetupPlugin, SetupPluginState } from "../../main/runtimes/runtime.ts";
import { SignIns } from "../../main/setup/oauth/sign-in.ts";
import type { Grant } from "../../main/setup/oauth/types.ts";

/** Most pages that stand between the first address of a sign-in and the way back. */
const MOST_PAGES = 10;
/** Most questions of one setup. */
const MOST_STEPS = 10;

/** A client that was made at the provider before. */
export interface OwnClient {
  id: string;
  /** Its secret or its private key; empty: it has none. */
  secret: string;
  /** It signs in for itself (`client_credentials`), and not for a person. */
  forItself: boolean;
}

/**
 * Signs in without a browser, where the provider answers with the way back at once. The setup of the server is gone through
 * as a person would who agrees to everything.
 *
 * @param client null: as the provider has it best
 * @throws PatchbayError NEEDS_SETUP where a person is needed, and what the setup and the sign-in throw
 */
export async function signInAlone(
  setup: SetupPlugin,
  client: OwnClient | null,
  signal: AbortSignal,
): Promise<Grant | null> {
  let grant: Grant | null = null;
  try {
    let { sessionId, state } = await setup.begin({}, signal);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const answer = await answerTo(state, client, signal);
      if (answer === null) return grant;
      grant = answer.grant ?? grant;
      state = await setup.submit(sessionId, answer.input, signal);
    }
  } finally {
    await setup.close();
  }
  throw new PatchbayError("SETUP_FAILED", "The setup asks for ever.");
}

/** What the setup is told next; null: it is done. */
async function answerTo(
  state: SetupPluginState,
  client: OwnClient | null,
  signal: AbortSignal,
): Promise<{ input: Record<string, unknown>; grant?: Grant } | null> {
  switch (state.kind) {
    case "done":
      return null;
    case "awaiting_choice":
      return { input: { choice: choiceOf(state.options, client) } };
    case "awaiting_user_input": {
      const { about, problem } = state;
      if (
        client === null ||
        problem !== undefined ||
        (about?.kind !== "client-id" && about?.kind !== "account")
      )
        throw wantsPerson(problem);
      return { input: { client_id: client.id, client_secret: client.secret } };
    }
    case "awaiting_oauth": {
      const grant = state.provider?.forItself
        ? await new SignIns().forItself(state, signal)
        : await throughPages(state, signal);
      return { input: { accessToken: grant.accessToken }, grant };
    }
    default:
      throw wantsPerson();
  }
}

/** @throws PatchbayError NEEDS_SETUP where the provider does not offer what is wanted */
function choiceOf(options: readonly { value: string }[], client: OwnClient | null): string {
  if (client === null) return options[0]?.value ?? "";
  const wanted = client.forItself ? "account" : "own";
  if (options.some(({ value }) => value === wanted)) return wanted;
  throw new PatchbayError("NEEDS_SETUP", "The provider does not sign in clients of this kind.");
}

function wantsPerson(problem = "It wants something that only a person can enter."): PatchbayError {
  return new PatchbayError("NEEDS_SETUP", problem);
}

async function throughPages(
  request: Extract<SetupPluginState, { kind: "awaiting_oauth" }>,
  signal: AbortSignal,
): Promise<Grant> {
  const signIn = await new SignIns().start(request, "browser", signal);
  try {
    let place: URL | null = new URL(signIn.url);
    for (let page = 0; place !== null; page += 1) {
      if (page === MOST_PAGES) throw new PatchbayError("SIGN_IN_FAILED", "The sign-in leads on and on.");
      const answer: Response = await fetch(place, { redirect: "manual", signal });
      await answer.body?.cancel();
      const next = answer.headers.get("location");
      place = next === null || answer.status < 300 || answer.status >= 400 ? null : new URL(next, place);
      if (place === null && page === 0)
        throw new PatchbayError("NEEDS_SETUP", "The sign-in shows a page, which wants a person.");
    }
    const late = new PatchbayError("SIGN_IN_FAILED", "The sign-in did not lead back to Patchbay.");
    const stopped = Promise.withResolvers<never>();
    const timer = setTimeout(() => stopped.reject(late), 5_000);
    try {
      return await Promise.race([signIn.result, stopped.promise]);
    } finally {
      clearTimeout(timer);
    }
  } finally {
    await signIn.close();
  }
}
