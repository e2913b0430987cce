import { useShallow } from "zustand/react/shallow";
import type { Approval } from "../../../contract/agent.ts";
import type { Dialog } from "../../../contract/dialogs/dialog.ts";
import { useMirror } from "../../store/mirror.ts";

/** Approvals that wait for the person, oldest first. */
export function useWaitingApprovals(agentId?: string): Approval[] {
  return useMirror(
    useShallow((state) =>
      [...state.approvals.values()]
        .filter((approval) => approval.status === "waiting" && (!agentId || approval.agentId === agentId))
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
    ),
  );
}

/** Whether a question of this plugin, or about it, waits for the person. */
export function useAsks(agentId: string, pluginKey: string): boolean {
  return useMirror((state) =>
    [...state.dialogs.values()].some(
      (dialog) => dialog.agentId === agentId && dialog.pluginKey === pluginKey,
    ),
  );
}

/** Questions that plugins ask, oldest first. */
export function useOpenDialogs(agentId?: string): Dialog[] {
  return useMirror(
    useShallow((state) =>
      [...state.dialogs.values()]
        .filter((dialog) => !agentId || dialog.agentId === agentId)
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt)),
    ),
  );
}
