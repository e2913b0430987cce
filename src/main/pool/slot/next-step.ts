/**
 * The facts from which the next step of a slot follows. `running`, `candidate` and `attempted` are fingerprints of
 * wants (see `wants/want.ts`): two with the same fingerprint need no restart between them.
 */
export interface SlotSituation {
  /** What should run; null: nothing. */
  wanted: {
    fingerprint: string;
    /** The plugin has nothing but tools, so it need not start before one of them is called. */
    startsOnUse: boolean;
    /** Something is known to keep it from starting: a secret is missing, for instance. */
    hasObstacle: boolean;
  } | null;
  /** Fingerprint of what runs now; null when nothing runs. */
  running: string | null;
  /** Fingerprint of a new version that was started beside it as a trial; null when there is none. */
  candidate: string | null;
  /** Fingerprint of the last attempted start, which is not repeated by itself; null when there was none. */
  attempted: string | null;
  /** The person asked for a restart. */
  restart: boolean;
  /** One of its tools was called since the app started. */
  used: boolean;
  /** The slot is closed for good. */
  closed: boolean;
}

export type Step =
  /** The candidate is what should run: it takes the place of the running version. */
  | { do: "adopt" }
  | { do: "drop_candidate" }
  | { do: "stop"; reason: "disabled" | "restart" | "shutdown" }
  /** `afresh`: the person changed something, so the count of crashes begins at 0. */
  | { do: "start"; afresh: boolean }
  /** Nothing should run; a state that waits for something (a restart, a setup) becomes "stopped". */
  | { do: "rest" }
  /** The wanted version runs, or its start has failed and it waits for a change. */
  | { do: "nothing" };

/**
 * Compares what should run with what runs and returns the next step. After `adopt`, `start`, `rest` or `nothing` no
 * further step is needed; after the others call it again.
 */
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
  // A plugin that waits for its first use is started all the same when something would keep it from starting, so that
  // the person sees the problem before a tool is needed.
  if (wanted.startsOnUse && !used && !wanted.hasObstacle) return { do: "rest" };
  return { do: "start", afresh };
}
