import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function holdProcedures({ holds, heldPlugins: held }: Needs<"holds" | "heldPlugins">) {
  const area = procedures.holds;
  return {
    get: area.get.handler(() => holds.get()),
    enterSafeMode: area.enterSafeMode.handler(() => held.enterSafeMode()),
    leaveSafeMode: area.leaveSafeMode.handler(() => held.leaveSafeMode()),
    beginSearch: area.beginSearch.handler(({ input }) => held.beginSearch(input.agentId)),
    answerSearch: area.answerSearch.handler(({ input: { agentId, step, stillThere } }) =>
      held.answerSearch(agentId, step, stillThere),
    ),
    endSearch: area.endSearch.handler(({ input }) => held.endSearch(input.agentId).then(() => done)),
  };
}
