import type { HeldPlugins } from "../../agent-plugins/held-plugins.ts";
import type { Holds } from "../../holds/holds.ts";
import { done, procedures } from "../implementer.ts";

export interface HoldNeeds {
  holds: Pick<Holds, "get">;
  held: HeldPlugins;
}

export function holdProcedures({ holds, held }: HoldNeeds) {
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
