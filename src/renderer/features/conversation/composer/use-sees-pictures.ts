import { useEffect, useState } from "react";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";

/**
 * Whether the agent's model is shown pictures; otherwise the agent gets them as files in its workspace. A model of which that is not known
 * is shown them.
 */
export function useSeesPictures(agentId: string): boolean {
  const model = useMirror((state) => state.agents.get(agentId)?.model);
  const [isBlind, setBlind] = useState(false);
  const config = JSON.stringify(model);
  useEffect(() => {
    if (config === undefined) return;
    const scope = new AbortController();
    rpc.models.known({ agentId }, { signal: scope.signal }).then(
      (known) => !scope.signal.aborted && setBlind(known.model?.pictures === false),
      () => {},
    );
    return () => scope.abort();
  }, [agentId, config]);
  return model?.kind !== "none" && model?.kind !== "scripted" && !isBlind;
}
