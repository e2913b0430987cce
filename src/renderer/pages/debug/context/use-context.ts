import { useEffect, useState } from "react";
import type { ConversationCost, ModelContext } from "../../../../contract/trace/context.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";

interface Asked {
  agentId: string;
  sessionId: string | null;
  turnId: string | null;
  /** Null: the last one. */
  call: number | null;
  /** How many calls have been asked and answered so far: more of them are a reason to ask again. */
  count: number;
}

interface Seen {
  key: string;
  context: ModelContext;
  cost: ConversationCost;
}

/** What the model was sent, and what it cost. Null while it is not known, and where no model was asked. */
export function useContextOf({ agentId, sessionId, turnId, call, count }: Asked) {
  const key = JSON.stringify([agentId, sessionId, turnId, call]);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    if (sessionId === null || turnId === null || count === 0) return;
    const life = new AbortController();
    const { signal } = life;
    const ref = { agentId, sessionId, turnId };
    Promise.all([
      rpc.contexts.of({ ...ref, ...(call !== null && { call }) }, { signal }),
      rpc.contexts.cost(ref, { signal }),
    ]).then(
      ([context, cost]) => {
        setSeen({ key, context, cost });
        setProblem(null);
      },
      (error: unknown) => {
        if (!signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [agentId, sessionId, turnId, call, count, key]);
  const isSeen = seen?.key === key && count > 0;
  return { context: isSeen ? seen.context : null, cost: isSeen ? seen.cost : null, problem };
}
