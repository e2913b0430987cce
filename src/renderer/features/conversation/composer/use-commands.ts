import { useEffect, useState } from "react";
import type { CommandInfo } from "../../../../contract/agent-plugin.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { type Mirror, useMirror } from "../../../store/mirror.ts";

/**
 * The slash commands of an agent, asked for anew each time a slash is typed first, and when a plugin that was started for it says what
 * it has; null while that is not known.
 */
export function useCommands(agentId: string, text: string): readonly CommandInfo[] | null {
  const [commands, setCommands] = useState<readonly CommandInfo[] | null>(null);
  const typing = text.startsWith("/");
  const version = useMirror((state) => (typing ? versionOf(state, agentId) : ""));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is asked for anew
  useEffect(() => {
    if (!typing) return;
    const scope = new AbortController();
    rpc.commands.list({ agentId }, { signal: scope.signal }).then(setCommands, () => setCommands(null));
    return () => scope.abort();
  }, [agentId, typing, version]);
  return typing ? commands : null;
}

function versionOf(state: Mirror, agentId: string): string {
  const parts: string[] = [];
  for (const { agentId: of, pluginKey, instance } of state.agentPlugins.values()) {
    const { commands, prompts } = instance.contributions ?? {};
    if (of === agentId && (commands?.length || prompts?.length))
      parts.push(`${pluginKey}:${instance.generation}:${commands?.length}:${prompts?.length}`);
  }
  return parts.join(" ");
}
