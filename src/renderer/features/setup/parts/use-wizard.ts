import { useState } from "react";
import type { SetupAnswer, SetupView } from "../../../../contract/setup.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { rowId, saidBy, useMirror } from "../../../store/mirror.ts";

/** The wizard of (agent, plugin) as this window sees it, and how its steps are answered. */
export interface Wizard {
  view: SetupView | null;
  /** The wizard is gone from the core without being done: it was cancelled in another window, or forgotten. */
  ended: boolean;
  /** An answer is on its way, or was accepted and its next step has not arrived. */
  busy: boolean;
  /** Why the last answer was refused; its step is still shown, or shown again. */
  problem: ShownProblem | null;
  answer(answer: SetupAnswer): Promise<void>;
  /** Asks the plugin now instead of when its time has come. */
  poll(): Promise<void>;
}

interface Answered {
  stepId: string;
  /** The kind of step beside which the problem is shown. */
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
      const problem = saidBy(key, problemOf(error));
      // Another window was faster. The problem is shown beside the step that is shown by now.
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
