import { useCallback, useEffect, useState } from "react";
import type { Screen } from "../../../contract/access.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

/** The pages that may use this Patchbay, asked when the screen is opened, after each reconnection, and by `look`. */
export function useScreens() {
  const connected = useMirror(isConnected);
  const [screens, setScreens] = useState<Screen[]>([]);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const look = useCallback(async () => {
    try {
      setScreens(await rpc.access.screens());
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, []);
  useEffect(() => {
    if (connected) void look();
  }, [connected, look]);
  return { screens, problem, look };
}
