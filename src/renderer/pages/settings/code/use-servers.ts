import { useCallback, useEffect, useState } from "react";
import type { LanguageServerView } from "../../../../contract/procedures/languages.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/**
 * The language servers of an agent's workspace, asked for when the screen is opened, after each reconnection, and when the
 * person's own were changed. Null while they are looked for.
 */
export function useServers(agentId: string) {
  const connected = useMirror(isConnected);
  const own = useMirror((state) => JSON.stringify(state.settings?.languageServers));
  const [servers, setServers] = useState<LanguageServerView[] | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const look = useCallback(
    async (signal?: AbortSignal) => {
      try {
        setServers(await rpc.languages.list({ agentId }, signal ? { signal } : {}));
        setProblem(null);
      } catch (error) {
        if (!signal?.aborted) setProblem(problemOf(error));
      }
    },
    [agentId],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: other servers of their own are another answer
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    void look(leaving.signal);
    return () => leaving.abort();
  }, [connected, own, look]);

  return { servers, problem, look };
}
