import { useCallback, useState } from "react";
import { problemOf, type ShownProblem } from "../base/client/problem.ts";

/** Calls the core and keeps what a screen needs around the call: whether it runs, and the problem when it failed. */
export function useAction<A extends unknown[], R>(run: (...args: A) => Promise<R>) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const act = useCallback(
    async (...args: A): Promise<R | undefined> => {
      setBusy(true);
      setProblem(null);
      try {
        return await run(...args);
      } catch (error) {
        setProblem(problemOf(error));
        return undefined;
      } finally {
        setBusy(false);
      }
    },
    [run],
  );
  return { act, busy, problem, dismiss: () => setProblem(null) };
}
