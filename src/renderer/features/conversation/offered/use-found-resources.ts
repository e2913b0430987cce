import { useEffect, useState } from "react";
import type { FoundResources } from "../../../../contract/conversation/offered.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";

const PAUSE_MS = 120;

/** What the agent's plugins can read and the words find; asked for anew when typing pauses. Null while it is not known. */
export function useFoundResources(agentId: string, words: string, version: string) {
  const [found, setFound] = useState<FoundResources | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is asked for anew
  useEffect(() => {
    const scope = new AbortController();
    const ask = () =>
      rpc.resources.find({ agentId, words }, { signal: scope.signal }).then(
        (answer) => {
          if (scope.signal.aborted) return;
          setFound(answer);
          setProblem(null);
        },
        (error: unknown) => !scope.signal.aborted && setProblem(problemOf(error)),
      );
    const timer = setTimeout(() => void ask(), words === "" ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      scope.abort();
    };
  }, [agentId, words, version]);
  return { found, problem };
}
