import { useCallback, useEffect, useState } from "react";
import type { Replay } from "../../../../contract/trace/replay.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** The replays of an agent that are kept, newest first; null until they are known. */
export function useReplays(agentId: string) {
  const live = useMirror(isConnected);
  const [replays, setReplays] = useState<readonly Replay[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const refresh = useCallback(
    async (signal?: AbortSignal) => {
      try {
        const found = await rpc.replays.list({ agentId }, { ...(signal && { signal }) });
        if (!signal?.aborted) setReplays(found);
      } catch (error) {
        if (!signal?.aborted) setProblem(problemOf(error));
      }
    },
    [agentId],
  );
  useEffect(() => {
    if (!live) return;
    const scope = new AbortController();
    void refresh(scope.signal);
    return () => scope.abort();
  }, [live, refresh]);
  return { replays, problem, refresh };
}
