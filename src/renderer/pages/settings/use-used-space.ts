import { useEffect, useState } from "react";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { type Rpc, rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

type UsedSpace = Awaited<ReturnType<Rpc["app"]["usedSpace"]>>;

/** How much is kept, counted when the screen is opened and after each reconnection. Null while counting. */
export function useUsedSpace(): { used: UsedSpace | null; problem: ShownProblem | null } {
  const connected = useMirror(isConnected);
  const [used, setUsed] = useState<UsedSpace | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    rpc.app.usedSpace(undefined, { signal: leaving.signal }).then(
      (counted) => {
        setUsed(counted);
        setProblem(null);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => leaving.abort();
  }, [connected]);

  return { used, problem };
}
