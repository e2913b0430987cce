import { useEffect, useState } from "react";
import type { FoundSession } from "../../../../contract/turn.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** Milliseconds without a letter, after which the core is asked. */
const pauseMs = 200;

/**
 * The conversations of an agent that a search finds, newest first; all of them without words. Asked again when a conversation
 * begins, ends, gets another name, is pinned, removed or restored. Null until the first answer.
 */
export function useFoundSessions(agentId: string, words: string) {
  const live = useMirror(isConnected);
  const changes = useMirror((state) =>
    [...state.sessions.values()]
      .filter((session) => session.agentId === agentId)
      .map(({ id, title, status, pinned }) => `${id} ${title} ${status} ${pinned}`)
      .join("\n"),
  );
  const removed = useMirror((state) =>
    [...state.removed.values()]
      .filter(({ kind, agentId: of }) => kind === "session" && of === agentId)
      .map(({ id }) => id)
      .join("\n"),
  );
  const [found, setFound] = useState<readonly FoundSession[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  useEffect(() => {
    void [changes, removed];
    if (!live) return;
    const scope = new AbortController();
    const ask = () =>
      rpc.sessions.search({ agentId, words }, { signal: scope.signal }).then(
        (sessions) => {
          if (scope.signal.aborted) return;
          setFound(sessions);
          setProblem(null);
        },
        (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)),
      );
    const timer = setTimeout(ask, words === "" ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      scope.abort();
    };
  }, [agentId, words, live, changes, removed]);
  return { found, problem };
}
