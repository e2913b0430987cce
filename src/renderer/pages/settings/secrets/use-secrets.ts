import { useCallback, useEffect, useState } from "react";
import type { MissingSecret, SecretInfo } from "../../../../contract/vault.ts";
import { problemOf, type ShownProblem } from "../../../base/client/problem.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../../store/mirror.ts";

/** The names of the stored secrets and where they are used; read again after each change and reconnection. */
export function useSecrets() {
  const connected = useMirror(isConnected);
  const rows = useMirror((state) => state.agentPlugins);
  const agents = useMirror((state) => state.agents);
  const [secrets, setSecrets] = useState<SecretInfo[] | null>(null);
  const [missing, setMissing] = useState<MissingSecret[]>([]);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  const read = useCallback(async () => {
    try {
      const [stored, needed] = await Promise.all([rpc.secrets.list(), rpc.secrets.missing()]);
      setSecrets(stored);
      setMissing(needed);
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, []);

  // A change of a plugin's settings or of an agent's model changes where a secret is used.
  useEffect(() => {
    if (connected && rows && agents) void read();
  }, [connected, rows, agents, read]);

  return { secrets, missing, problem, read };
}
