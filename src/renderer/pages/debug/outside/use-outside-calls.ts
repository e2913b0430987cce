import { useEffect, useState } from "react";
import { mostOutsideCalls, type OutsideCall } from "../../../../contract/trace/outside-calls.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** The calls outside of turns, newest first, as they happen; null until they are known. */
export function useOutsideCalls(agentId: string): {
  calls: readonly OutsideCall[] | null;
  problem: ShownProblem | null;
} {
  const live = useMirror(isConnected);
  const [calls, setCalls] = useState<readonly OutsideCall[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    setCalls(null);
    setProblem(null);
    if (!live) return;
    const scope = new AbortController();
    const follow = async () => {
      try {
        const changes = await rpc.traces.watchOutside({ agentId }, { signal: scope.signal });
        const known = await rpc.traces.outside({ agentId }, { signal: scope.signal });
        if (!scope.signal.aborted) setCalls(known.toReversed());
        for await (const call of changes) setCalls((before) => withCall(before ?? [], call));
      } catch (error) {
        if (!scope.signal.aborted) setProblem(problemOf(error));
      }
    };
    void follow();
    return () => scope.abort();
  }, [live, agentId]);
  return { calls, problem };
}

function withCall(calls: readonly OutsideCall[], call: OutsideCall): OutsideCall[] {
  const isKnown = calls.some(({ id }) => id === call.id);
  const next = isKnown ? calls.map((one) => (one.id === call.id ? call : one)) : [call, ...calls];
  return next.slice(0, mostOutsideCalls);
}
