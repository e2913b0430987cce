import { useMirror } from "../../../store/mirror.ts";

/**
 * Which of an agent's plugins have something to be read, as one text that changes with what they offer; empty: none. Those that start
 * at their first use and do not say before what they have are among them.
 */
export function useResourcePlugins(agentId: string): string {
  return useMirror((state) => {
    const parts: string[] = [];
    for (const { agentId: of, pluginKey, enabled, instance } of state.agentPlugins.values()) {
      if (of !== agentId || !enabled) continue;
      const { contributions, generation } = instance;
      const mayHave = contributions === null && state.plugins.get(pluginKey)?.declaration.registersMore;
      if (contributions?.resources || mayHave)
        parts.push(`${pluginKey}:${generation}:${contributions === null}`);
    }
    return parts.join(" ");
  });
}
