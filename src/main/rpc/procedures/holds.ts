import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { Holds } from "../../holds/holds.ts";
import type { AgentStore } from "../../registry/index.ts";
import type { AuditLog } from "../../store/index.ts";
import type { Views } from "../../views/views.ts";
import { done, procedures } from "../implementer.ts";

export interface HoldNeeds {
  holds: Pick<Holds, "get" | "enterSafeMode" | "leaveSafeMode" | "begin" | "answer" | "end">;
  agents: Pick<AgentStore, "list">;
  owner: Pick<AgentPluginService, "settleAgent">;
  views: Pick<Views, "agentById">;
  audit: Pick<AuditLog, "record">;
}

export function holdProcedures({ holds, agents, owner, views, audit }: HoldNeeds) {
  const area = procedures.holds;
  const settleAll = () => Promise.all(agents.list().map(({ id }) => owner.settleAgent(id)));

  return {
    get: area.get.handler(() => holds.get()),
    enterSafeMode: area.enterSafeMode.handler(async () => {
      await holds.enterSafeMode("asked");
      audit.record({ kind: "safe_mode.entered" });
      await settleAll();
      return holds.get();
    }),
    leaveSafeMode: area.leaveSafeMode.handler(async () => {
      await holds.leaveSafeMode();
      audit.record({ kind: "safe_mode.left" });
      await settleAll();
      return holds.get();
    }),
    beginSearch: area.beginSearch.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      const search = await holds.begin(agentId);
      audit.record({ kind: "search.begun", agentId });
      await owner.settleAgent(agentId);
      return search;
    }),
    answerSearch: area.answerSearch.handler(async ({ input: { agentId, step, stillThere } }) => {
      const search = await holds.answer(agentId, step, stillThere);
      await owner.settleAgent(agentId);
      return search;
    }),
    endSearch: area.endSearch.handler(async ({ input: { agentId } }) => {
      await holds.end(agentId);
      audit.record({ kind: "search.ended", agentId });
      await owner.settleAgent(agentId);
      return done;
    }),
  };
}
