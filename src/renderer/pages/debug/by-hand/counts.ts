import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";
import { useAsked } from "./use-asked.ts";
import { useContributionsVersion } from "./use-contributions-version.ts";

/** How many tools the agent's owner can use now; null until it is known. */
export function useToolCount(agentId: string): number | null {
  const version = useContributionsVersion(agentId);
  const { answer } = useAsked(version, (signal) => rpc.tools.rights({ agentId }, { signal }));
  return answer?.tools.filter(({ inChatsOnly }) => !inChatsOnly).length ?? null;
}

/** How many hooks listen to the agent. */
export function useHookCount(agentId: string): number | null {
  return useMirror((state) => {
    let count = 0;
    for (const row of state.agentPlugins.values())
      if (row.agentId === agentId) count += row.instance?.contributions?.hooks.length ?? 0;
    return count;
  });
}

/** How many slash commands the agent has; null until it is known. */
export function useCommandCount(agentId: string): number | null {
  const version = useContributionsVersion(agentId);
  const { answer } = useAsked(version, (signal) => rpc.commands.list({ agentId }, { signal }));
  return answer?.length ?? null;
}
