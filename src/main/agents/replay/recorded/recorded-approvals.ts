import type { Approval, RecordEventOf } from "../../../../contract/index.ts";
import type { ApprovalDesk } from "../../tools/approval-step.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

type Question = Parameters<ApprovalDesk["request"]>[0];

/** What the record has of the approval that a call waited for. */
interface Then {
  asked: RecordEventOf<"approval_asked"> | undefined;
  answered: RecordEventOf<"approval_answered"> | undefined;
}

/** A question with the answer that stands in the record; without one it counts as cancelled, for the reason `unasked`. */
export function answerOfThen(
  question: Question,
  { asked, answered }: Then,
  told: {
    onAsked?: ((approval: Approval) => void) | undefined;
    onAlways(approval: Approval): void;
    unasked: string;
  },
): Approval {
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
  told.onAsked?.(approval);
  if (!answered) return { ...approval, status: "cancelled", reason: told.unasked };
  const { status, scope, reason, decidedBy } = answered;
  const decided = { ...approval, status, scope, reason, decidedBy };
  if (scope === "always") told.onAlways(decided);
  return decided;
}

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
      return answerOfThen(
        question,
        { asked, answered },
        { onAsked, onAlways, unasked: "it was not asked then" },
      );
    },
  };
}
