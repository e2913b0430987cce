import { followLogs } from "../follow-logs.ts";
import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";
import { sendTestMessage } from "./channel-messages.ts";

export function agentPluginProcedures(
  services: Needs<
    | "registry"
    | "agentPlugins"
    | "agentPluginService"
    | "pool"
    | "views"
    | "loadChecks"
    | "work"
    | "audit"
    | "settings"
  >,
) {
  const { agentPlugins, agentPluginService: owner, pool, views, loadChecks } = services;
  const area = procedures.agentPlugins;
  return {
    list: area.list.handler(({ input }) => views.agentPlugins(input.agentId)),
    get: area.get.handler(async ({ input: { agentId, key } }) => {
      const plugin = services.registry.get(key);
      if (plugin) await loadChecks.check(plugin);
      return views.agentPluginByKey(agentId, key);
    }),
    set: area.set.handler(async ({ input: { agentId, key, ...wanted } }) => {
      await owner.configure(agentId, key, wanted);
      return views.agentPluginByKey(agentId, key);
    }),
    restart: area.restart.handler(async ({ input: { agentId, key } }) => {
      views.agentPluginByKey(agentId, key);
      await pool.restart(agentId, key);
      return views.agentPluginByKey(agentId, key);
    }),
    clearError: area.clearError.handler(({ input: { agentId, key } }) => {
      views.agentPluginByKey(agentId, key);
      agentPlugins.report(agentId, key, { lastError: null });
      return views.agentPluginByKey(agentId, key);
    }),
    traffic: area.traffic.handler(({ input: { agentId, key, limit, text } }) => {
      views.agentPluginByKey(agentId, key);
      return services.work.channels.conversations.traffic(
        agentId,
        key,
        limit,
        text === true || text === "true",
      );
    }),
    testMessage: area.testMessage.handler(({ input: { agentId, key, ...message }, signal }) => {
      views.agentPluginByKey(agentId, key);
      return sendTestMessage(services, agentId, key, message, signal);
    }),
    forget: area.forget.handler(async ({ input: { agentId, key } }) => {
      await owner.forget(agentId, key);
      return done;
    }),
    logs: area.logs.handler(({ input: { agentId, key, ...filter } }) => {
      views.agentPluginByKey(agentId, key);
      return pool.logs(agentId, key, filter);
    }),
    followLogs: area.followLogs.handler(({ input: { agentId, key, after }, signal }) => {
      views.agentPluginByKey(agentId, key);
      return followLogs(pool, agentId, key, after, signal);
    }),
  };
}
