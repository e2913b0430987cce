import { done, procedures } from "./implementer.ts";
import type { Services } from "./services.ts";

export function approvalProcedures({ work: { approvals } }: Services) {
  const area = procedures.approvals;
  return {
    list: area.list.handler(() => approvals.list()),
    decide: area.decide.handler(({ input }) => approvals.decide(input.id, input.answer)),
  };
}

export function dialogProcedures({ work: { dialogs } }: Services) {
  const area = procedures.dialogs;
  return {
    list: area.list.handler(() => dialogs.list()),
    answer: area.answer.handler(({ input }) => {
      dialogs.answer(input.id, input.answer);
      return done;
    }),
  };
}
