import { useMirror } from "../../../store/mirror.ts";

/** Another text whenever what an agent's running plugins offer, or its rules, may have changed. */
export function useContributionsVersion(agentId: string): string {
  return useMirror((state) => {
    const parts: string[] = [String(state.agents.get(agentId)?.revision)];
    for (const { agentId: of, pluginKey, enabled, instance } of state.agentPlugins.values()) {
      if (of !== agentId) continue;
      const { tools, hooks, commands } = instance?.contributions ?? {};
      const counts = [tools?.length, hooks?.length, commands?.length].join("/");
      parts.push(`${pluginKey}:${enabled}:${instance?.state}:${instance?.generation}:${counts}`);
    }
    return parts.join(" ");
  });
}
