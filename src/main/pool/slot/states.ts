import { type InstanceState, PatchbayError } from "../../../contract/index.ts";

/** The events that change the state of an instance. */
export type StateSignal =
  | "start"
  | "started"
  | "lacks_setup"
  | "start_failed"
  /** The plugin reported an error, stopped responding, or another plugin has one of its names. */
  | "troubled"
  | "recovered"
  | "crashed"
  | "gave_up"
  | "stop"
  | "ended";

/** The whole state machine. A signal that is not listed for a state cannot happen in it. */
const transitions: Record<InstanceState, Partial<Record<StateSignal, InstanceState>>> = {
  stopped: { start: "starting" },
  starting: {
    started: "running",
    lacks_setup: "needs_setup",
    start_failed: "failed",
    crashed: "failed",
    gave_up: "quarantined",
    stop: "stopping",
  },
  running: { troubled: "degraded", crashed: "failed", gave_up: "quarantined", stop: "stopping" },
  degraded: {
    troubled: "degraded",
    recovered: "running",
    crashed: "failed",
    gave_up: "quarantined",
    stop: "stopping",
  },
  needs_setup: { start: "starting", stop: "stopped" },
  failed: { start: "starting", stop: "stopped" },
  quarantined: { start: "starting", stop: "stopped" },
  stopping: { ended: "stopped" },
};

/** @throws PatchbayError INTERNAL when the signal cannot happen in this state */
export function nextState(state: InstanceState, signal: StateSignal): InstanceState {
  const next = transitions[state][signal];
  if (!next) throw new PatchbayError("INTERNAL", `An instance that is ${state} cannot take "${signal}".`);
  return next;
}

/** Whether its tools, hooks and commands can be called. */
export function isLive(state: InstanceState): boolean {
  return state === "running" || state === "degraded";
}
