import { os } from "@orpc/server";
import { followLogs } from "../follow-logs.ts";
import { done, procedures } from "../implementer.ts";
import type { Needs } from "../services.ts";

/** One plugin of one agent. */
interface Place {
  agentId: string;
  key: string;
}

export function agentPluginProcedures({
  registry,
  agentPluginService: owner,
  pool,
  views,
  loadChecks,
  work: { channels },
}: Needs<"registry" | "agentPluginService" | "pool" | "views" | "loadChecks" | "work">) {
  const area = procedures.agentPlugins;
  const view = ({ agentId, key }: Place) => views.agentPluginByKey(agentId, key);
  /** Refuses an agent that is not there, and a plugin of which there is neither a row nor an installation. */
  const known = os.middleware(({ next }, place: Place) => {
    view(place);
    return next();
  });
  return {
    list: area.list.handler(({ input }) => views.agentPlugins(input.agentId)),
    get: area.get.handler(async ({ input }) => {
      const plugin = registry.get(input.key);
      if (plugin) await loadChecks.check(plugin);
      return view(input);
    }),
    set: area.set.handler(({ input: { agentId, key, ...wanted } }) =>
      owner.configure(agentId, key, wanted).then(() => view({ agentId, key })),
    ),
    restart: area.restart
      .use(known)
      .handler(({ input }) => owner.restart(input.agentId, input.key).then(() => view(input))),
    clearError: area.clearError.use(known).handler(({ input }) => {
      owner.clearError(input.agentId, input.key);
      return view(input);
    }),
    traffic: area.traffic
      .use(known)
      .handler(({ input: { agentId, key, limit, text } }) =>
        channels.conversations.traffic(agentId, key, limit, text === true || text === "true"),
      ),
    testMessage: area.testMessage
      .use(known)
      .handler(({ input: { agentId, key, ...message }, signal }) =>
        channels.testMessages.send(agentId, key, message, signal),
      ),
    forget: area.forget.handler(({ input: { agentId, key } }) => owner.forget(agentId, key).then(() => done)),
    logs: area.logs
      .use(known)
      .handler(({ input: { agentId, key, ...filter } }) => pool.logs(agentId, key, filter)),
    followLogs: area.followLogs
      .use(known)
      .handler(({ input: { agentId, key, after }, signal }) => followLogs(pool, agentId, key, after, signal)),
  };
}
