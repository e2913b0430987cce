import { useEffect, useState } from "react";
import type { CommandInfo } from "../../../contract/agent-plugin.ts";
import { rpc } from "../../base/client/rpc.ts";

/** The slash commands that fit what is typed; asked for anew each time a slash is typed first. */
export function useCommands(agentId: string, text: string): CommandInfo[] {
  const [commands, setCommands] = useState<CommandInfo[]>([]);
  const typing = /^\/\S*$/.test(text);

  useEffect(() => {
    if (!typing) return;
    const scope = new AbortController();
    rpc.commands.list({ agentId }, { signal: scope.signal }).then(setCommands, () => setCommands([]));
    return () => scope.abort();
  }, [agentId, typing]);

  if (!typing) return [];
  const wanted = text.slice(1).toLowerCase();
  return commands.filter((command) => command.name.toLowerCase().startsWith(wanted));
}
