import { done, procedures } from "../implementer.ts";
import type { Services } from "../services.ts";

export function holdProcedures(services: Services) {
  const { holds, agents, agentPlugins, pool, views, audit } = services;
  const area = procedures.holds;

  /** Brings what is switched on for an agent to what may run now; resolves when it has settled. */
  const settle = (agentId: string) =>
    Promise.all(
      agentPlugins
        .list(agentId)
        .filter((row) => row.enabled)
        .map((row) => pool.reconcile(agentId, row.pluginKey)),
    );

  return {
    get: area.get.handler(() => holds.get()),
    enterSafeMode: area.enterSafeMode.handler(async () => {
      await holds.enterSafeMode("asked");
      audit.record({ kind: "safe_mode.entered" });
      await Promise.all(agents.list().map(({ id }) => settle(id)));
      return holds.get();
    }),
    leaveSafeMode: area.leaveSafeMode.handler(async () => {
      await holds.leaveSafeMode();
      audit.record({ kind: "safe_mode.left" });
      await Promise.all(agents.list().map(({ id }) => settle(id)));
      return holds.get();
    }),
    beginSearch: area.beginSearch.handler(async ({ input: { agentId } }) => {
      views.agentById(agentId);
      const search = await holds.begin(agentId);
      audit.record({ kind: "search.begun", agentId });
      await settle(agentId);
      return search;
    }),
    answerSearch: area.answerSearch.handler(async ({ input: { agentId, step, stillThere } }) => {
      const search = await holds.answer(agentId, step, stillThere);
      await settle(agentId);
      return search;
    }),
    endSearch: area.endSearch.handler(async ({ input: { agentId } }) => {
      await holds.end(agentId);
      audit.record({ kind: "search.ended", agentId });
      await settle(agentId);
      return done;
    }),
  };
}
