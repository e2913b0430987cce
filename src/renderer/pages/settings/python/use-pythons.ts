import { useEffect, useState } from "react";
import type { PythonsView } from "../../../../contract/procedures/app.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/**
 * The Pythons of the core's machine, asked for when the screen is opened, after each reconnection, and when another one was
 * chosen. Null while they are looked for.
 */
export function usePythons() {
  const connected = useMirror(isConnected);
  const chosen = useMirror((state) => state.settings?.python ?? null);
  const [pythons, setPythons] = useState<PythonsView | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another answer
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    rpc.pythons.list(undefined, { signal: leaving.signal }).then(
      (found) => {
        setPythons(found);
        setProblem(null);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => leaving.abort();
  }, [connected, chosen]);

  return { pythons, problem, setPythons };
}
