import { errorCatalogue, type Problem } from "../../../contract/index.ts";
import type { SetupPluginState } from "../../runtimes/runtime.ts";
import { beginAnew } from "./endings.ts";
import { type FlowState, type Pace, type Phase, stay, type Transition } from "./state.ts";
import { amend, externalStep, show } from "./steps.ts";

type External = Extract<SetupPluginState, { kind: "awaiting_external" }>;
type Polling = Extract<Phase, { kind: "polling" }>;

/** Longest pause after failures, milliseconds. */
const MOST_MS = 30_000;
/** After a code has expired the plugin is asked this soon, milliseconds. */
const AFTER_EXPIRY_MS = 100;

/**
 * Shows what the plugin waits for, and asks it again at its own interval. The core does this and not a screen, so that
 * it goes on without one.
 */
export function startPolling(state: FlowState, said: External, at: number): Transition {
  const { pollIntervalMs: intervalMs, expiresInMs } = said;
  const pace: Pace = {
    intervalMs,
    expiresAt: expiresInMs === undefined ? null : at + expiresInMs,
    failures: 0,
  };
  return stay({
    ...show(state, externalStep(said, at)),
    phase: { kind: "polling", pace, nextAt: dueAt(pace, intervalMs, at), renewing: false },
  });
}

/** Asks the plugin at once, unless it is being asked. `renewing`: the person wants a new code. */
export function ask(state: FlowState, renewing = false): Transition {
  const { phase } = state;
  if (phase.kind !== "polling") return stay(state);
  const asking: Polling = { ...phase, nextAt: null, renewing: phase.renewing || renewing };
  if (phase.nextAt === null) return stay({ ...state, phase: asking });
  const turn = state.turn + 1;
  return { state: { ...state, turn, phase: asking }, effects: [{ kind: "poll", turn }] };
}

/** Whether the plugin shows the same as before. */
export function showsTheSame({ step }: FlowState, { qrText, redirectUrl, code }: External): boolean {
  return (
    step.kind === "external" &&
    step.qrText === qrText &&
    step.redirectUrl === redirectUrl &&
    step.code === code
  );
}

/** The plugin still waits for the same. When the person asked for a new code, the setup begins anew. */
export function waitOn(state: FlowState, phase: Polling, at: number): Transition {
  if (phase.renewing) return beginAnew(state);
  const pace: Pace = { ...phase.pace, failures: 0 };
  const next: FlowState = { ...state, phase: { ...phase, pace, nextAt: dueAt(pace, pace.intervalMs, at) } };
  if (phase.pace.failures === 0) return stay(next);
  return stay(amend(next, "external", { poll: { failures: 0, problem: null, nextAt: null } }));
}

/** The plugin could not be asked: it is asked again after 1, 2, 4 … 30 seconds, and the screen says so. */
export function pollFailed(state: FlowState, phase: Polling, problem: Problem, at: number): Transition {
  if (phase.renewing) return beginAnew(state);
  const failures = phase.pace.failures + 1;
  const pace: Pace = { ...phase.pace, failures };
  const pause = Math.min(MOST_MS, Math.max(pace.intervalMs, 1_000 * 2 ** (failures - 1)));
  const poll = { failures, problem: shown(problem), nextAt: new Date(at + pause).toISOString() };
  const next: FlowState = { ...state, phase: { ...phase, pace, nextAt: dueAt(pace, pause, at) } };
  return stay(amend(next, "external", { poll }));
}

/**
 * When the plugin is asked next, milliseconds since 1970: after the pause, or right after its code expires when that is
 * sooner.
 */
function dueAt({ expiresAt }: Pace, pauseMs: number, at: number): number {
  const untilExpiry = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - at;
  return at + (untilExpiry > 0 ? Math.min(pauseMs, untilExpiry + AFTER_EXPIRY_MS) : pauseMs);
}

/** The problem without its details, which only help the plugin's author. */
function shown({ code, message, help }: Problem): Problem {
  return { code, message, help: help ?? errorCatalogue[code].help };
}
