import type { Agents } from "../../../agents/index.ts";
import { contextOf, contextText } from "../../../agents/traces/context/context.ts";
import { costOf } from "../../../agents/traces/context/cost.ts";
import type { Views } from "../../../views/views.ts";
import { procedures } from "../../implementer.ts";

export interface ContextNeeds {
  sessions: Pick<Agents["sessions"], "open">;
  views: Pick<Views, "agentById">;
}

export function contextProcedures({ sessions, views }: ContextNeeds) {
  const area = procedures.contexts;
  const open = ({ agentId, sessionId }: { agentId: string; sessionId: string }) => {
    views.agentById(agentId);
    return sessions.open(agentId, sessionId);
  };
  return {
    of: area.of.handler(async ({ input }) => contextOf(await open(input), input.turnId, input.call)),
    text: area.text.handler(async ({ input }) => ({
      text: await contextText(await open(input), input.turnId, input.call, input.part),
    })),
    cost: area.cost.handler(async ({ input }) => costOf(await open(input), input.turnId)),
  };
}
