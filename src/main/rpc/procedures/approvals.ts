import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function approvalProcedures({
  work: { approvals, approvalHistory },
  agents,
  views,
}: Needs<"work" | "agents" | "views">) {
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
    decide: area.decide.handler(({ input }) => approvals.decide(input.id, input.answer)),
  };
}

export function dialogProcedures({ work: { dialogs } }: Needs<"work">) {
  const area = procedures.dialogs;
  return {
    list: area.list.handler(() => dialogs.list()),
    answer: area.answer.handler(({ input }) => {
      dialogs.answer(input.id, input.answer);
      return done;
    }),
  };
}
