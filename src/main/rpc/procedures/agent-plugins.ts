import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { PluginPool } from "../../pool/plugin-pool.ts";
import type { AgentPlugins, PluginRegistry } from "../../registry/index.ts";
import type { LoadChecks } from "../../views/load-checks.ts";
import type { Views } from "../../views/views.ts";
import { type FollowedLogs, followLogs } from "../follow-logs.ts";
import { done, procedures } from "../implementer.ts";
import { type MessageNeeds, sendTestMessage } from "./channel-messages.ts";

export interface AgentPluginNeeds extends MessageNeeds {
  registry: Pick<PluginRegistry, "get">;
  agentPlugins: Pick<AgentPlugins, "report">;
  owner: Pick<AgentPluginService, "configure" | "forget">;
  pool: MessageNeeds["pool"] & FollowedLogs & Pick<PluginPool, "restart">;
  views: Pick<Views, "agentPlugins" | "agentPluginByKey">;
  loadChecks: Pick<LoadChecks, "check">;
}

export function agentPluginProcedures(needs: AgentPluginNeeds) {
  const { registry, agentPlugins, owner, pool, views, loadChecks, conversations } = needs;
  const area = procedures.agentPlugins;
  return {
    list: area.list.handler(({ input }) => views.agentPlugins(input.agentId)),
    get: area.get.handler(async ({ input: { agentId, key } }) => {
      const plugin = registry.get(key);
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
      return conversations.traffic(agentId, key, limit, text === true || text === "true");
    }),
    testMessage: area.testMessage.handler(({ input: { agentId, key, ...message }, signal }) => {
      views.agentPluginByKey(agentId, key);
      return sendTestMessage(needs, agentId, key, message, signal);
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
