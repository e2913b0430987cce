import { useEffect, useState } from "react";
import type { PolicyOverview } from "../../../../contract/permissions/explanation.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";
import { offerVersion } from "../use-rights.ts";

/** An agent's rules, asked again when they or what its plugins offer change, and after each decided call. Null while not known. */
export function usePolicies(agentId: string) {
  const connected = useMirror(isConnected);
  const version = useMirror((state) => offerVersion(state, agentId));
  const decided = useMirror((state) => state.approvals.size);
  const [known, setKnown] = useState<{ agentId: string; all: PolicyOverview } | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  useEffect(() => {
    // Each of these is the reason to ask again.
    void [version, decided];
    if (!connected) return;
    const life = new AbortController();
    rpc.policies.overview({ agentId }, { signal: life.signal }).then(
      (all) => {
        setKnown({ agentId, all });
        setProblem(null);
      },
      (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [connected, agentId, version, decided]);

  const set = (all: PolicyOverview) => setKnown({ agentId, all });
  return { policies: known?.agentId === agentId ? known.all : null, problem, set };
}
