import type { Problem, SetupAnswer } from "../../../contract/index.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";
import { closeAfterSaving, fail, failAndKeep, release, stayAwake } from "./endings.ts";
import {
  type Effect,
  type Finished,
  type FlowState,
  hide,
  type Phase,
  stay,
  type Transition,
} from "./state.ts";
import { show, showProgress } from "./steps.ts";

type Saving = Extract<Phase, { kind: "saving" }>;

/** Codes after which saving the same outcome again cannot succeed. */
const refusals: ReadonlySet<string> = new Set(["CONFIG_REFUSED", "CONFIG_INVALID"]);

/** Keeps what a plugin's own setup made. */
export function finishSetup(
  state: FlowState,
  { config, account }: Extract<SetupPluginState, { kind: "done" }>,
): Transition {
  const { grant } = state;
  return save(state, { config, secrets: {}, account: account ?? null, grant, whole: false }, null);
}

/** Keeps the settings of a form. @param shown the settings that the form began with */
export function finishForm(
  state: FlowState,
  shown: Record<string, unknown>,
  { config = shown, secrets = {} }: Extract<SetupAnswer, { kind: "settings" }>,
  ticket: number,
): Transition {
  const outcome: Finished = { config, secrets, account: null, grant: null, whole: true };
  const saving = save(state, outcome, ticket);
  return { ...saving, effects: [...hide(Object.values(secrets)), ...saving.effects] };
}

/** @param ticket the ticket of the answer that led here; null for a plugin's own setup */
export function save(state: FlowState, outcome: Finished, ticket: number | null): Transition {
  const turn = state.turn + 1;
  const shown = showProgress(state, "saving");
  return {
    state: { ...shown, turn, phase: { kind: "saving", outcome, ticket, closing: false } },
    effects: [{ kind: "save", turn, outcome }],
  };
}

/** It is stored: the wizard's side of the plugin ends, and the plugin itself starts. */
export function saved(before: FlowState, { outcome, closing }: Saving): Transition {
  const state: FlowState = { ...before, saved: true };
  if (closing) return closeAfterSaving(state, true);
  return release(state, { kind: "start", account: outcome.account }, "The setup is done.", false);
}

export function saveFailed(state: FlowState, phase: Saving, problem: Problem): Transition {
  const { outcome, ticket, closing } = phase;
  const refuse: Effect[] = ticket === null ? [] : [{ kind: "refuse", ticket, problem }];
  if (closing) {
    const closed = closeAfterSaving(state, false);
    return { ...closed, effects: [...refuse, ...closed.effects] };
  }
  if (ticket !== null) {
    const again = show(state, { kind: "settings", config: outcome.config });
    return { state: { ...again, phase: { kind: "resting" } }, effects: refuse };
  }
  if (refusals.has(problem.code)) return fail(state, problem);
  return failAndKeep(state, problem, { kind: "save", outcome });
}

/**
 * Ends the wizard with "done", whether or not the plugin started: the outcome is saved, and the plugin's row shows how
 * it runs.
 */
export function started(state: FlowState, account: string | null, at: number): Transition {
  return stay({
    ...show(stayAwake(state, at), { kind: "done", account }),
    phase: { kind: "done" },
  });
}
