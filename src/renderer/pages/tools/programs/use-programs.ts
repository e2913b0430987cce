import { useCallback, useEffect, useState } from "react";
import type { ProgramAccess } from "../../../../contract/programs/programs.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** How other programs reach an agent's tools; asked when the part is opened, after each reconnection, and by `look`. */
export function usePrograms(agentId: string) {
  const connected = useMirror(isConnected);
  const [access, setAccess] = useState<ProgramAccess | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const look = useCallback(async () => {
    try {
      setAccess(await rpc.access.programs({ agentId }));
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, [agentId]);
  useEffect(() => {
    if (connected) void look();
  }, [connected, look]);
  return { access, problem, look };
}
