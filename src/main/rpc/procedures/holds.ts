import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

export function holdProcedures({
  holds,
  agents,
  agentPluginService: owner,
  views,
  audit,
}: Needs<"holds" | "agents" | "agentPluginService" | "views" | "audit">) {
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
