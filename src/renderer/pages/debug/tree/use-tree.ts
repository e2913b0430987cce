import { useCallback, useEffect, useState } from "react";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";
import { type TreeRow, treeRows } from "./tree-rows.ts";

/** Events after which the tree has changed; a text that grows is none. */
const telling = new Set([
  "turn_started",
  "message",
  "command",
  "turn_ended",
  "session_branched",
  "session_labelled",
]);

/** The tree of a conversation; null until it is known. It follows what happens in it. */
export function useTree(agentId: string, sessionId: string | null) {
  const live = useMirror(isConnected);
  const [rows, setRows] = useState<readonly TreeRow[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const load = useCallback(
    async (id: string, signal: AbortSignal) => {
      const entries = await rpc.sessions.entries({ agentId, sessionId: id }, { signal });
      if (!signal.aborted) setRows(treeRows(entries));
    },
    [agentId],
  );

  useEffect(() => {
    setRows(null);
    setProblem(null);
    if (!live || sessionId === null) return;
    const scope = new AbortController();
    const follow = async () => {
      try {
        const events = await rpc.sessions.watch({ agentId, sessionId }, { signal: scope.signal });
        await load(sessionId, scope.signal);
        for await (const event of events) if (telling.has(event.type)) await load(sessionId, scope.signal);
      } catch (error) {
        if (!scope.signal.aborted) setProblem(problemOf(error));
      }
    };
    void follow();
    return () => scope.abort();
  }, [live, sessionId, agentId, load]);

  return { rows, problem };
}
