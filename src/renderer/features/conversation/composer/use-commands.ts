import { useEffect, useState } from "react";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { rpc } from "../../../base/client/rpc.ts";

/** The slash commands of an agent, asked for anew each time a slash is typed first; null while that is not known. */
export function useCommands(agentId: string, text: string): readonly CommandInfo[] | null {
  const [commands, setCommands] = useState<readonly CommandInfo[] | null>(null);
  const typing = text.startsWith("/");
  useEffect(() => {
    if (!typing) return;
    const scope = new AbortController();
    rpc.commands.list({ agentId }, { signal: scope.signal }).then(setCommands, () => setCommands(null));
    return () => scope.abort();
  }, [agentId, typing]);
  return typing ? commands : null;
}
