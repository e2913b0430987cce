import { useEffect, useState } from "react";
import type { ToolRights } from "../../../contract/permissions/tool-rights.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, type Mirror, useMirror } from "../../store/mirror.ts";

/** What an agent may do, asked again when the agent or what its plugins offer changes. Null while it is not known. */
export function useRights(agentId: string) {
  const connected = useMirror(isConnected);
  const version = useMirror((state) => offerVersion(state, agentId));
  const [rights, setRights] = useState<{ agentId: string; all: ToolRights } | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);

  useEffect(() => {
    // A new version is the reason to ask again.
    void version;
    if (!connected) return;
    const life = new AbortController();
    rpc.tools.rights({ agentId }, { signal: life.signal }).then(
      (all) => {
        setRights({ agentId, all });
        setProblem(null);
      },
      (error: unknown) => {
        if (!life.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => life.abort();
  }, [connected, agentId, version]);

  const set = (all: ToolRights) => setRights({ agentId, all });
  return { rights: rights?.agentId === agentId ? rights.all : null, problem, set };
}

/** Changes when an agent, or what its plugins offer, does. */
export function offerVersion(state: Mirror, agentId: string): string {
  const rows = [...state.agentPlugins.values()].filter((row) => row.agentId === agentId);
  const running = rows.map(({ pluginKey, enabled, instance }) => {
    const { tools = [] } = instance?.contributions ?? {};
    const offered = tools.filter(({ withheld }) => withheld === undefined);
    return `${pluginKey}:${enabled}:${instance?.state}:${tools.length}:${offered.length}`;
  });
  return `${state.agents.get(agentId)?.revision} ${running.join(" ")}`;
}
