import { useEffect, useState } from "react";
import type { ModelConfig } from "../../../../contract/models/config.ts";
import type { ModelThinking } from "../../../../contract/models/thinking.ts";
import { rpc } from "../../../base/client/rpc.ts";

/** The levels of thinking that the agent's model can be set to; empty while that is not known, and where it has none. */
export function useLevels(agentId: string, model: ModelConfig | undefined): readonly ModelThinking[] {
  const [levels, setLevels] = useState<readonly ModelThinking[]>([]);
  const config = JSON.stringify(model);
  useEffect(() => {
    if (config === undefined) return;
    const scope = new AbortController();
    rpc.models.known({ agentId }, { signal: scope.signal }).then(
      ({ model: known }) => setLevels(known?.thinking ?? []),
      () => {},
    );
    return () => scope.abort();
  }, [agentId, config]);
  return levels;
}
