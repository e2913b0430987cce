import { useCallback, useEffect, useState } from "react";
import type { Grants } from "../../../contract/grants.ts";
import { comparedGrants } from "../../../contract/permissions/compared.ts";
import type { PluginPermissions } from "../../../contract/permissions/view.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import type { Row } from "../../model/rows.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import { useAction } from "../../ui/action.ts";

/** Saves it as less where it is less: that needs nobody's word. */
async function save(agentId: string, key: string, now: PluginPermissions, grants: Grants) {
  const change = { agentId, key, grants, revision: now.revision };
  const { grew } = comparedGrants(now.grants, grants);
  return grew.length === 0 ? rpc.agentPlugins.narrow(change) : rpc.agentPlugins.grant(change);
}

/** What the plugin may reach, asked for anew whenever its row says that something of it has changed. */
export function usePermissions({ agentId, key, view }: Row) {
  const connected = useMirror(isConnected);
  const [permissions, setPermissions] = useState<PluginPermissions | null>(null);
  const [problem, setProblem] = useState<ShownProblem | null>(null);
  const saving = useAction(save);
  const changed = `${view?.revision ?? 0} ${view?.seen?.reached ?? 0} ${view?.seen?.refused ?? 0}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `changed` says when to ask again
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    rpc.agentPlugins.permissions({ agentId, key }, { signal: leaving.signal }).then(
      (read) => {
        setPermissions(read);
        setProblem(null);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => leaving.abort();
  }, [connected, agentId, key, changed]);

  const { act } = saving;
  const grant = useCallback(
    async (grants: Grants): Promise<boolean> => {
      if (!permissions) return false;
      const saved = await act(agentId, key, permissions, grants);
      if (saved) setPermissions(saved);
      return saved !== undefined;
    },
    [permissions, act, agentId, key],
  );
  return { permissions, problem, grant, saving };
}
