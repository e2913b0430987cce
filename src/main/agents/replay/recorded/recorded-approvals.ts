import type { Approval } from "../../../../contract/index.ts";
import type { ApprovalDesk } from "../../tools/approval-step.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

/**
 * The approvals of a replay: each call gets the answer that the owner gave when it was recorded. `spanOf` names the
 * span of the call that is asked about.
 */
export function recordedApprovals(
  turn: RecordedTurn,
  spanOf: () => string,
  onAlways: (approval: Approval) => void,
): ApprovalDesk {
  return {
    grantedForSession: () => turn.in(spanOf(), "approval_known")?.basis === "session",
    request: async (question, _signal, onAsked) => {
      const asked = turn.in(spanOf(), "approval_asked");
      const answered = turn.in(spanOf(), "approval_answered");
      const approval: Approval = {
        ...question,
        id: asked?.approvalId ?? "not recorded",
        shortId: "0000",
        status: "waiting",
        scope: null,
        reason: null,
        decidedBy: null,
        createdAt: new Date(0).toISOString(),
        expiresAt: new Date(0).toISOString(),
        decidedAt: null,
      };
      onAsked?.(approval);
      if (!answered) return { ...approval, status: "cancelled", reason: "it was not asked then" };
      const { status, scope, reason, decidedBy } = answered;
      const decided = { ...approval, status, scope, reason, decidedBy };
      if (scope === "always") onAlways(decided);
      return decided;
    },
  };
}
