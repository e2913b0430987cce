import type { Approval, RecordEvent } from "../../../../contract/index.ts";
import type { ApprovalDesk } from "../../tools/approval-step.ts";
import { answerOfThen } from "../recorded/recorded-approvals.ts";
import type { AnswerBook } from "./answer-book.ts";

/** The call that is under way, with its arguments as they are by now. */
export interface PresentCall {
  tool: string;
  arguments: Record<string, unknown>;
}

/**
 * The approvals of a replay in which plugins are really asked. What the person said then holds for exactly the same call
 * alone; about every other call they are asked by `desk`, or, without one, it is not run.
 */
export function approvalsAgain(
  book: AnswerBook,
  options: {
    present(): PresentCall | undefined;
    desk: ApprovalDesk | null;
    onAlways(approval: Approval): void;
  },
): ApprovalDesk {
  const { present, desk, onAlways } = options;
  return {
    grantedForSession: (...of) => {
      const call = present();
      const then = call && book.peek(call.tool, call.arguments);
      if (!call || !then) return desk?.grantedForSession(...of) ?? false;
      const known = find(then, "approval_known")?.basis === "session";
      // It is not asked about any more, so it is used up here.
      if (known) book.decisionOn(call.tool, call.arguments);
      return known;
    },
    request: async (question, signal, onAsked) => {
      const then = book.decisionOn(question.tool, question.arguments);
      const asked = then && find(then, "approval_asked");
      const answered = then && find(then, "approval_answered");
      if (!asked && desk) return desk.request(question, signal, onAsked);
      const unasked = "nobody was asked about it in the recorded turn";
      return answerOfThen(question, { asked, answered }, { onAsked, onAlways, unasked });
    },
  };
}

function find<T extends RecordEvent["type"]>(events: readonly RecordEvent[], type: T) {
  return events.find((event): event is Extract<RecordEvent, { type: T }> => event.type === type);
}
