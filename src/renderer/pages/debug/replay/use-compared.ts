import { useEffect, useState } from "react";
import type { ComparedTurns } from "../../../../contract/trace/compared.ts";
import type { TurnSide } from "../../../../contract/trace/replay.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";

/** The name of a turn in a list of choices. */
export function nameOfSide(side: TurnSide): string {
  return "replayId" in side ? `replay ${side.replayId}` : `${side.sessionId} ${side.turnId}`;
}

/** Two turns beside each other, as the core compares them; null until it has. */
export function useCompared(agentId: string, left: TurnSide | null, right: TurnSide | null) {
  const [found, setFound] = useState<{ of: string; compared: ComparedTurns } | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  /** Both sides, as a text that is equal for equal ones. */
  const of = left && right ? JSON.stringify({ left, right }) : null;
  useEffect(() => {
    setProblem(null);
    if (of === null) return;
    const scope = new AbortController();
    const sides = JSON.parse(of) as { left: TurnSide; right: TurnSide };
    rpc.replays.compare({ agentId, ...sides }, { signal: scope.signal }).then(
      (compared) => !scope.signal.aborted && setFound({ of, compared }),
      (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)),
    );
    return () => scope.abort();
  }, [agentId, of]);
  return { compared: found !== null && found.of === of ? found.compared : null, problem };
}
