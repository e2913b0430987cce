/** What is known of a slot when it decides what to do next. Versions are told apart by the fingerprints of their wants. */
export interface SlotSituation {
  /** What should run; null: nothing. */
  wanted: {
    fingerprint: string;
    /** It may wait until one of its tools is wanted. */
    startsOnUse: boolean;
    /** Something is known to keep it from starting: a secret is missing, for instance. */
    hasObstacle: boolean;
  } | null;
  /** What runs. */
  running: string | null;
  /** What was tried beside it and waits to be taken over. */
  candidate: string | null;
  /** What was tried last; the same is not tried again by itself. */
  attempted: string | null;
  /** Somebody asked for a fresh start. */
  restart: boolean;
  /** Somebody wanted one of its tools since the app started. */
  used: boolean;
  /** The slot is given up for good. */
  closed: boolean;
}

export type Step =
  /** The candidate is what is wanted: it becomes what runs. */
  | { do: "adopt" }
  | { do: "drop_candidate" }
  | { do: "stop"; reason: "disabled" | "restart" | "shutdown" }
  /** `afresh`: the person changed something, so earlier crashes count no longer. */
  | { do: "start"; afresh: boolean }
  /** Nothing should run; a state that only waited for something is left. */
  | { do: "rest" }
  /** It is as it should be, or has failed and waits for a change. */
  | { do: "nothing" };

/** What is wanted against what runs, so do this next. After `adopt`, `start`, `rest` and `nothing` it is settled. */
export function nextStep(situation: SlotSituation): Step {
  const { wanted, running, candidate, attempted, restart, used, closed } = situation;
  const fingerprint = wanted?.fingerprint ?? null;
  if (candidate !== null) return { do: candidate === fingerprint ? "adopt" : "drop_candidate" };
  if (running !== null && (restart || running !== fingerprint)) {
    return { do: "stop", reason: wanted ? "restart" : closed ? "shutdown" : "disabled" };
  }
  if (!wanted) return { do: "rest" };
  if (running !== null) return { do: "nothing" };
  const afresh = restart || (attempted !== null && attempted !== fingerprint);
  if (!afresh && attempted !== null) return { do: "nothing" };
  // What keeps it from starting is told before somebody wants it.
  if (wanted.startsOnUse && !used && !wanted.hasObstacle) return { do: "rest" };
  return { do: "start", afresh };
}
