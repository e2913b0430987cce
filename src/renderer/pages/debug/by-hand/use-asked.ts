import { useCallback, useEffect, useRef, useState } from "react";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/**
 * What the core answers, asked again when `version` changes, after a reconnection, and by `again`. Null until it is known; what
 * was known stays while it is asked again.
 */
export function useAsked<T>(version: string, ask: (signal: AbortSignal) => Promise<T>) {
  const connected = useMirror(isConnected);
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const [times, setTimes] = useState(0);
  const asking = useRef(ask);
  asking.current = ask;

  useEffect(() => {
    // A new version, or being asked to, is the reason to ask again.
    void version;
    void times;
    if (!connected) return;
    const life = new AbortController();
    asking.current(life.signal).then(
      (next) => {
        if (life.signal.aborted) return;
        setAnswer(next);
        setProblem(null);
      },
      (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [connected, version, times]);

  const again = useCallback(() => setTimes((before) => before + 1), []);
  return { answer, problem, again };
}
