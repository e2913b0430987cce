import { useShallow } from "zustand/react/shallow";
import type { Approval, Dialog } from "../../../contract/agent.ts";
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
