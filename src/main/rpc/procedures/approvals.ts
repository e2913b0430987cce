import type { Agents } from "../../agents/index.ts";
import type { AgentStore } from "../../registry/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";
import { placeOf } from "../rule-place.ts";

export interface ApprovalNeeds {
  approvals: Pick<Agents["approvals"], "list" | "decide">;
  approvalHistory: Pick<Agents["approvalHistory"], "read">;
  agents: Pick<AgentStore, "list">;
  views: Pick<Views, "agentById">;
}

export function approvalProcedures({ approvals, approvalHistory, agents, views }: ApprovalNeeds) {
  const area = procedures.approvals;
  return {
    history: area.history.handler(async ({ input: { agentId } }) => {
      const ids = agentId === undefined ? agents.list().map(({ id }) => id) : [views.agentById(agentId).id];
      const decided = await Promise.all(ids.map((id) => approvalHistory.read(id)));
      return decided
        .flat()
        .sort((left, right) => Date.parse(right.decidedAt ?? "") - Date.parse(left.decidedAt ?? ""));
    }),
    list: area.list.handler(() => approvals.list()),
    decide: area.decide.handler(({ input: { id, answer }, context }) => {
      const place = answer.decision === "allow" ? answer.place : undefined;
      return approvals.decide(id, answer, { kind: "owner" }, placeOf(context.caller, place));
    }),
  };
}

export interface DialogNeeds {
  dialogs: Pick<Agents["dialogs"], "list" | "answer">;
}

export function dialogProcedures({ dialogs }: DialogNeeds) {
  const area = procedures.dialogs;
  return {
    list: area.list.handler(() => dialogs.list()),
    answer: area.answer.handler(({ input }) => {
      dialogs.answer(input.id, input.answer);
      return done;
    }),
  };
}
