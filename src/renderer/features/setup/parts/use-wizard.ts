import { useState } from "react";
import type { SetupAnswer, SetupView } from "../../../../contract/setup.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { rowId, useMirror } from "../../../store/mirror.ts";

/** The wizard of (agent, plugin) as this window sees it, and how its steps are answered. */
export interface Wizard {
  view: SetupView | null;
  /** It is over in the core without being done: cancelled in another window, or forgotten. */
  ended: boolean;
  /** An answer is on its way, or was taken and its next step is not here yet. */
  busy: boolean;
  /** What was wrong with the last answer; the step is still there, or came again. */
  problem: ShownProblem | null;
  answer(answer: SetupAnswer): Promise<void>;
  /** Asks the plugin now instead of when its time has come. */
  poll(): Promise<void>;
}

interface Answered {
  stepId: string;
  /** The kind of step that the problem is to be read at. */
  kind: unknown;
  state: "sent" | "taken" | "refused";
  problem: ShownProblem | null;
}

export function useWizard(agentId: string, key: string): Wizard {
  const live = useMirror((state) => state.setups.get(rowId(agentId, key)) ?? null);
  const [last, setLast] = useState(live);
  const [answered, setAnswered] = useState<Answered | null>(null);
  if (live !== null && live !== last) setLast(live);
  const view = live ?? last;

  const send = async (call: (view: SetupView) => Promise<unknown>, staysOnStep: boolean) => {
    if (!view) return;
    const at = { stepId: view.step.id, kind: view.step.kind };
    setAnswered({ ...at, state: "sent", problem: null });
    try {
      await call(view);
      setAnswered(staysOnStep ? null : { ...at, state: "taken", problem: null });
    } catch (error) {
      const problem = problemOf(error);
      // Another window was faster; the step that is shown by now is the one to say so at.
      const kind = problem.code === "SETUP_STALE" ? problem.details?.kind : at.kind;
      setAnswered({ ...at, kind, state: "refused", problem });
    }
  };

  return {
    view,
    ended: live === null && last !== null && last.step.kind !== "done",
    busy: answered?.state === "sent" || (answered?.state === "taken" && answered.stepId === view?.step.id),
    problem: answered !== null && answered.kind === view?.step.kind ? answered.problem : null,
    answer: (answer) =>
      send(
        ({ id: sessionId, step }) => rpc.setup.submit({ agentId, key, sessionId, stepId: step.id, answer }),
        answer.kind === "open",
      ),
    poll: () => send(({ id: sessionId }) => rpc.setup.poll({ agentId, key, sessionId }), true),
  };
}
