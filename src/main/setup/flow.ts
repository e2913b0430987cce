import { PatchbayError, type Problem } from "../../contract/index.ts";
import type { SetupPluginState } from "../runtimes/runtime.ts";
import { answered } from "./flow/answering.ts";
import { cancel, fail, IDLE_MS, leftAlone, open, pluginEnded, released, stayAwake } from "./flow/endings.ts";
import { finishSetup, saved, saveFailed, started } from "./flow/finishing.ts";
import { ask, pollFailed, showsTheSame, startPolling, waitOn } from "./flow/polling.ts";
import { pageOpened, signedIn, signInFailed, signInReady, startSignIn } from "./flow/sign-in.ts";
import {
  type Effect,
  type FlowEvent,
  type FlowState,
  isClosing,
  stay,
  type Timer,
  type Transition,
} from "./flow/state.ts";
import { formStep, menuStep, type StepDraft, show, withId } from "./flow/steps.ts";

export interface FlowStart {
  id: string;
  displayName: string;
  asks: FlowState["asks"];
  /** The time, milliseconds since 1970. */
  at: number;
  /** Set when the wizard was open as the app ended: it shows this problem, and begins anew when the person wants. */
  interrupted?: Problem;
}

/** A wizard that was not begun yet. */
export function newFlow({ id, displayName, asks, at, interrupted }: FlowStart): Transition {
  const first: StepDraft = interrupted
    ? { kind: "error", problem: interrupted, canRetry: true }
    : { kind: "progress", doing: "opening" };
  const state: FlowState = {
    id,
    displayName,
    asks,
    step: withId(id, 1, first),
    shown: 1,
    trail: [],
    phase: interrupted ? { kind: "failed", retry: { kind: "begin" } } : { kind: "new" },
    turn: 0,
    pluginOpen: false,
    grant: null,
    saved: false,
    expiresAt: at + IDLE_MS,
  };
  return { state, effects: [{ kind: "timer", timer: "idle", at: state.expiresAt }] };
}

/**
 * The whole wizard as one pure function: old state and event give the new state and the effects to carry out. The time
 * comes with the event, and the result of an effect comes back as another event. An event that is too late or does not
 * fit changes nothing.
 */
export function flow(state: FlowState, event: FlowEvent): Transition {
  if ("turn" in event && event.turn !== state.turn) return stay(state);
  const after = handle(state, event);
  return {
    state: after.state,
    effects: [...told(state, after.state), ...after.effects, ...timers(state, after.state)],
  };
}

function handle(state: FlowState, event: FlowEvent): Transition {
  const { phase } = state;
  switch (event.kind) {
    case "begin":
      return phase.kind === "new" ? open(state) : stay(state);
    case "answer":
      return answered(state, event);
    case "ask-now":
      return ask(state);
    case "cancel":
      return cancel(state);
    case "due":
      return event.timer === "poll" ? ask(state) : leftAlone(state, event.at);
    case "said":
      return said(state, event.state, event.at);
    case "form-ready":
      return phase.kind === "opening" && state.asks === "form" ? formReady(state, event.config) : stay(state);
    case "sign-in-ready":
      return phase.kind === "signing-in" && phase.page === "preparing"
        ? signInReady(state, phase, event.page)
        : stay(state);
    case "page-opened":
      return pageOpened(state, event.url, event.opened);
    case "signed-in":
      return phase.kind === "signing-in" && (phase.page !== "preparing" || phase.request.provider?.forItself)
        ? signedIn(state, event.grant, event.at)
        : stay(state);
    case "saved":
      return phase.kind === "saving" ? saved(state, phase) : stay(state);
    case "started":
      return phase.kind === "starting" ? started(state, phase.account, event.at) : stay(state);
    case "failed":
      return failed(state, event.problem, event.at);
    case "released":
      return released(state);
    case "plugin-ended":
      return pluginEnded(state);
  }
}

/** The plugin says where its setup stands. */
function said(state: FlowState, given: SetupPluginState, at: number): Transition {
  const { phase } = state;
  if (state.asks === "form") return stay(state);
  switch (phase.kind) {
    case "opening":
    case "checking":
      return follow(state, given, at);
    case "polling":
      if (phase.nextAt !== null) return stay(state);
      if (given.kind === "awaiting_external" && showsTheSame(state, given)) return waitOn(state, phase, at);
      // A new code, or any state after it, shows that somebody is still there; the wait before the wizard expires
      // starts again.
      return follow(given.kind === "awaiting_external" ? stayAwake(state, at) : state, given, at);
    default:
      return stay(state);
  }
}

/** Shows what the plugin says. */
function follow(state: FlowState, given: SetupPluginState, at: number): Transition {
  switch (given.kind) {
    case "awaiting_user_input":
      return rest(state, formStep(given));
    case "awaiting_choice":
      return rest(state, menuStep(given));
    case "awaiting_external":
      return startPolling(state, given, at);
    case "awaiting_oauth":
      return startSignIn(state, given);
    case "done":
      return finishSetup(state, given);
    case "error":
      return fail(state, new PatchbayError("SETUP_FAILED", given.message).toProblem());
  }
}

function formReady(state: FlowState, config: Record<string, unknown>): Transition {
  return rest(state, { kind: "settings", config });
}

/** A step that waits for the person. */
function rest(state: FlowState, step: StepDraft): Transition {
  return stay({ ...show(state, step), phase: { kind: "resting" } });
}

/** What was being done did not work. */
function failed(state: FlowState, problem: Problem, at: number): Transition {
  const { phase } = state;
  switch (phase.kind) {
    case "opening":
    case "checking":
      return fail(state, problem);
    case "polling":
      return phase.nextAt === null ? pollFailed(state, phase, problem, at) : stay(state);
    case "signing-in":
      return signInFailed(state, phase, problem);
    case "saving":
      return saveFailed(state, phase, problem);
    case "starting":
      return started(state, phase.account, at);
    case "new":
    case "releasing":
    case "resting":
    case "done":
    case "failed":
    case "over":
      return stay(state);
  }
}

/** `show` when the step or the trail has changed, unless the wizard was cancelled. */
function told(before: FlowState, after: FlowState): Effect[] {
  const same = before.step === after.step && before.trail === after.trail;
  return same || isClosing(after) ? [] : [{ kind: "show" }];
}

/** The timers that are to be set or stopped. */
function timers(before: FlowState, after: FlowState): Effect[] {
  const names: Timer[] = ["poll", "idle"];
  return names.flatMap((timer) => {
    const at = dueAt(after, timer);
    return at === dueAt(before, timer) ? [] : [{ kind: "timer", timer, at } as const];
  });
}

function dueAt(state: FlowState, timer: Timer): number | null {
  if (timer === "idle") return isClosing(state) ? null : state.expiresAt;
  return state.phase.kind === "polling" ? state.phase.nextAt : null;
}
