import type { Problem, SignInWay } from "../../../contract/index.ts";
import type { Grant, SignInRequest } from "../oauth/types.ts";
import { beginAnew, fail, failAndKeep, stayAwake } from "./endings.ts";
import { type FlowState, hide, type Phase, type SignInPage, stay, type Transition } from "./state.ts";
import { amend, show, showProgress, signInStep } from "./steps.ts";

type SigningIn = Extract<Phase, { kind: "signing-in" }>;

/** Prepares a sign-in at a provider. @param way absent: the best one that is offered */
export function startSignIn(
  state: FlowState,
  request: SignInRequest,
  way: SignInWay | undefined = request.ways?.[0],
): Transition {
  const turn = state.turn + 1;
  return {
    state: { ...state, turn, phase: { kind: "signing-in", request, way, page: "preparing" } },
    effects: [{ kind: "sign-in", turn, request, way }],
  };
}

/** The sign-in waits: its page is shown and opened. */
export function signInReady(state: FlowState, phase: SigningIn, page: SignInPage): Transition {
  return {
    state: {
      ...show(state, signInStep(phase.request, page)),
      phase: { ...phase, way: page.way, page: "opening" },
    },
    effects: [{ kind: "open-page", url: page.url }],
  };
}

/** The page was opened, or could not be. */
export function pageOpened(state: FlowState, url: string, opened: boolean): Transition {
  const { phase, step } = state;
  if (phase.kind !== "signing-in" || step.kind !== "oauth" || step.url !== url) return stay(state);
  return stay(amend({ ...state, phase: { ...phase, page: "open" } }, "oauth", { opened }));
}

/** The person wants the page once more. */
export function openAgain(state: FlowState, phase: SigningIn, url: string): Transition {
  return {
    state: { ...state, phase: { ...phase, page: "opening" } },
    effects: [{ kind: "open-page", url }],
  };
}

/** The person wants to sign in another way. */
export function changeWay(state: FlowState, { request }: SigningIn, way: SignInWay): Transition {
  return startSignIn(showProgress(state, "opening"), request, way);
}

/** The provider gave what was asked for; the plugin is told. */
export function signedIn(state: FlowState, grant: Grant, at: number): Transition {
  const turn = state.turn + 1;
  const shown = showProgress({ ...stayAwake(state, at), grant }, "checking");
  return {
    state: { ...shown, turn, phase: { kind: "checking" } },
    effects: [
      ...hide([grant.accessToken, grant.refreshToken, grant.idToken]),
      { kind: "submit", turn, input: tokensOf(grant) },
    ],
  };
}

/**
 * The sign-in failed. The plugin's process still waits for one, so the person can try again; where nobody was sent to a page, it
 * was for what they had entered, which is asked for anew.
 */
export function signInFailed(state: FlowState, { request, way }: SigningIn, problem: Problem): Transition {
  if (request.provider?.forItself) return fail(state, problem);
  return failAndKeep(state, problem, { kind: "sign-in", request, way });
}

/** Tries again; the plugin's process may have ended since, then everything begins anew. */
export function signInAgain(
  state: FlowState,
  { request, way }: { request: SignInRequest; way: SignInWay | undefined },
): Transition {
  if (!state.pluginOpen) return beginAnew(state);
  return startSignIn(showProgress(state, "opening"), request, way);
}

/** What a plugin is told of a sign-in. */
function tokensOf({ accessToken, refreshToken, idToken, tokenType, scope, expiresAt }: Grant) {
  return {
    accessToken,
    tokenType,
    ...(refreshToken && { refreshToken }),
    ...(idToken && { idToken }),
    ...(scope && { scope }),
    ...(expiresAt && { expiresAt }),
  };
}
