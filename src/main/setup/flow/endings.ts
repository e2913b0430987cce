import { PatchbayError, type Problem } from "../../../contract/index.ts";
import { type AfterRelease, type FlowState, type Retry, stay, type Transition } from "./state.ts";
import { show, showProgress } from "./steps.ts";

/** A wizard ends by itself when nothing happened for this long, milliseconds. */
export const IDLE_MS = 15 * 60_000;

const cancelled = "The setup was cancelled.";

/** Starts the time until the wizard expires again. */
export function stayAwake(state: FlowState, at: number): FlowState {
  return { ...state, expiresAt: at + IDLE_MS };
}

/** Opens it, with nothing of it running. */
export function open(state: FlowState): Transition {
  const turn = state.turn + 1;
  const isPlugin = state.asks === "plugin";
  return {
    state: { ...state, turn, phase: { kind: "opening" }, pluginOpen: isPlugin },
    effects: [{ kind: isPlugin ? "open-plugin" : "open-form", turn }],
  };
}

/** Ends what runs and opens the wizard once more, without the trail and the sign-in of the first try. */
export function beginAnew(state: FlowState): Transition {
  const shown = showProgress(state, "opening");
  return release({ ...shown, trail: [], grant: null }, { kind: "open" }, "The setup begins anew.");
}

/** Shows what went wrong, once nothing of it runs any more. */
export function fail(state: FlowState, problem: Problem): Transition {
  return release(state, { kind: "fail", problem, retry: { kind: "begin" } }, problem.message);
}

/** Shows the problem and lets the plugin's process run on, because a new try needs what the process holds. */
export function failAndKeep(state: FlowState, problem: Problem, retry: Retry): Transition {
  return stay(showFailure(state, problem, retry));
}

/** Ends the wizard. A save that is under way is finished first. */
export function cancel(state: FlowState): Transition {
  const { phase } = state;
  switch (phase.kind) {
    case "over":
      return stay(state);
    case "releasing": {
      const { next } = phase;
      if (next.kind === "over") return stay(state);
      return stay({ ...state, phase: { ...phase, next: { kind: "over", start: next.kind === "start" } } });
    }
    case "saving":
      return stay({ ...state, phase: { ...phase, closing: true } });
    default:
      return release(state, { kind: "over", start: false }, cancelled);
  }
}

/** The end of a wizard that was cancelled while it saved. */
export function closeAfterSaving(state: FlowState, saved: boolean): Transition {
  return release(state, { kind: "over", start: saved }, cancelled, !saved);
}

/** `IDLE_MS` passed without an event. */
export function leftAlone(state: FlowState, at: number): Transition {
  switch (state.phase.kind) {
    case "releasing":
    case "saving":
    case "starting":
      return stay(stayAwake(state, at));
    case "done":
    case "failed":
      return { state, effects: [{ kind: "forget" }] };
    case "over":
      return stay(state);
    case "new":
    case "opening":
    case "checking":
    case "resting":
    case "polling":
    case "signing-in":
      return fail(
        stayAwake(state, at),
        new PatchbayError(
          "SETUP_EXPIRED",
          `The setup of ${state.displayName} was left alone for too long.`,
        ).toProblem(),
      );
  }
}

/** The plugin's process ended by itself. */
export function pluginEnded(state: FlowState): Transition {
  const without: FlowState = { ...state, pluginOpen: false };
  switch (state.phase.kind) {
    case "opening":
    case "checking":
    case "resting":
    case "polling":
    case "signing-in":
      return fail(
        without,
        new PatchbayError(
          "HOST_CRASHED",
          `The process of ${state.displayName} ended in the middle of its setup.`,
          { help: "Start it again; look at the plugin's log if it goes on." },
        ).toProblem(),
      );
    case "new":
    case "releasing":
    case "saving":
    case "starting":
    case "done":
    case "failed":
    case "over":
      return stay(without);
  }
}

/** The process, the sign-in and all work of the wizard have ended; now comes what was planned after that. */
export function released(before: FlowState): Transition {
  const { phase } = before;
  if (phase.kind !== "releasing") return stay(before);
  const state: FlowState = { ...before, pluginOpen: false };
  const { next } = phase;
  switch (next.kind) {
    case "open":
      return open(state);
    case "fail":
      return stay(showFailure(state, next.problem, next.retry));
    case "start": {
      const { account } = next;
      const shown = showProgress({ ...state, phase: { kind: "starting", account } }, "starting");
      return { state: shown, effects: [{ kind: "start", turn: state.turn }] };
    }
    case "over":
      return {
        state: { ...state, phase: { kind: "over" } },
        effects: next.start ? [{ kind: "start", turn: state.turn }] : [],
      };
  }
}

/**
 * Ends everything that runs for the wizard, then does `next`. The new `turn` makes late results of the old work count
 * for nothing. @param cancel whether the plugin is told, so that it lets go of what it waits for
 */
export function release(state: FlowState, next: AfterRelease, why: string, cancel = true): Transition {
  return {
    state: { ...state, turn: state.turn + 1, phase: { kind: "releasing", next } },
    effects: [{ kind: "release", cancel, why }],
  };
}

function showFailure(state: FlowState, problem: Problem, retry: Retry): FlowState {
  const failed: FlowState = { ...state, phase: { kind: "failed", retry } };
  return show(failed, { kind: "error", problem, canRetry: true });
}
