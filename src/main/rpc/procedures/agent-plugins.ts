import { os } from "@orpc/server";
import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import type { BroughtSettings } from "../../agent-plugins/brought/brought-settings.ts";
import type { Channels } from "../../agents/index.ts";
import type { PluginPool } from "../../pool/plugin-pool.ts";
import type { PluginRegistry } from "../../registry/index.ts";
import type { AuditLog } from "../../store/index.ts";
import type { LoadChecks } from "../../views/load-checks.ts";
import { type PermissionSources, permissionsOf, walledEvents } from "../../views/permission-views.ts";
import type { Views } from "../../views/views.ts";
import { type FollowedLogs, followLogs } from "../follow-logs.ts";
import { done, procedures } from "../implementer.ts";
import { wordOfPrograms } from "../person-only.ts";

/** One plugin of one agent. */
interface Place {
  agentId: string;
  key: string;
}

export interface AgentPluginNeeds {
  registry: Pick<PluginRegistry, "get">;
  owner: Pick<AgentPluginService, "configure" | "permissions" | "restart" | "clearError" | "forget">;
  brought: Pick<BroughtSettings, "take" | "takeFirst">;
  permissions: PermissionSources["permissions"];
  walls: PermissionSources["walls"];
  audit: Pick<AuditLog, "read">;
  pool: FollowedLogs["pool"] & Pick<PluginPool, "waitLonger">;
  keptLogs: FollowedLogs["keptLogs"];
  views: Pick<Views, "agentPlugins" | "agentPluginByKey">;
  loadChecks: Pick<LoadChecks, "check">;
  conversations: Pick<Channels["conversations"], "traffic">;
  people: Pick<Channels["people"], "decide">;
  testMessages: Pick<Channels["testMessages"], "send">;
}

export function agentPluginProcedures(needs: AgentPluginNeeds) {
  const {
    registry,
    owner,
    permissions,
    audit,
    pool,
    keptLogs,
    views,
    loadChecks,
    conversations,
    testMessages,
  } = needs;
  const area = procedures.agentPlugins;
  const view = ({ agentId, key }: Place) => views.agentPluginByKey(agentId, key);
  /** Refuses an agent that is not there, and a plugin of which there is neither a row nor an installation. */
  const known = os.middleware(({ next }, place: Place) => {
    view(place);
    return next();
  });
  const permitted = ({ agentId, key }: Place) =>
    permissionsOf(
      { permissions, registry, walls: needs.walls },
      agentId,
      key,
      view({ agentId, key }).revision,
    );
  return {
    list: area.list.handler(({ input }) => views.agentPlugins(input.agentId)),
    get: area.get.handler(async ({ input }) => {
      const plugin = registry.get(input.key);
      if (plugin) await loadChecks.check(plugin);
      return view(input);
    }),
    set: area.set.handler(async ({ input: { agentId, key, ...wanted }, context: { caller } }) => {
      const gives = wordOfPrograms(caller, "grant");
      const isPlain = wanted.enabled === true && !wanted.config && !wanted.secrets;
      const isTaken = isPlain && (await needs.brought.takeFirst(agentId, key, gives));
      if (!isTaken) await owner.configure(agentId, key, wanted, gives);
      return view({ agentId, key });
    }),
    bring: area.bring.handler(({ input: { agentId, key }, context: { caller } }) =>
      needs.brought.take(agentId, key, wordOfPrograms(caller, "grant")).then(() => view({ agentId, key })),
    ),
    answerSecret: area.answerSecret.handler(({ input: { agentId, key, name, give } }) =>
      owner.permissions.answerSecret(agentId, key, name, give).then(() => view({ agentId, key })),
    ),
    permissions: area.permissions.use(known).handler(({ input }) => permitted(input)),
    narrow: area.narrow.handler(({ input: { agentId, key, grants, revision } }) =>
      owner.permissions
        .set(agentId, key, grants, { revision, only: "less" })
        .then(() => permitted({ agentId, key })),
    ),
    grant: area.grant.handler(({ input: { agentId, key, grants, revision } }) =>
      owner.permissions.set(agentId, key, grants, { revision }).then(() => permitted({ agentId, key })),
    ),
    switchTools: area.switchTools.handler(({ input: { agentId, key, ...wanted } }) =>
      owner.permissions.switchTools(agentId, key, wanted).then(() => view({ agentId, key })),
    ),
    waitLonger: area.waitLonger.use(known).handler(({ input }) => {
      pool.waitLonger(input.agentId, input.key);
      return view(input);
    }),
    addHost: area.addHost.handler(({ input: { agentId, key, host } }) =>
      owner.permissions.addHost(agentId, key, host).then(() => view({ agentId, key })),
    ),
    walledEvents: area.walledEvents
      .use(known)
      .handler(({ input }) => walledEvents(audit, input.agentId, input.key, new Date())),
    restart: area.restart
      .use(known)
      .handler(({ input }) => owner.restart(input.agentId, input.key).then(() => view(input))),
    decidePerson: area.decidePerson
      .use(known)
      .handler(({ input: { agentId, key, person, decision } }) =>
        needs.people.decide(agentId, key, person, decision).then(() => view({ agentId, key })),
      ),
    clearError: area.clearError.use(known).handler(({ input }) => {
      owner.clearError(input.agentId, input.key);
      return view(input);
    }),
    traffic: area.traffic
      .use(known)
      .handler(({ input: { agentId, key, limit, text } }) =>
        conversations.traffic(agentId, key, limit, text === true || text === "true"),
      ),
    testMessage: area.testMessage
      .use(known)
      .handler(({ input: { agentId, key, ...message }, signal }) =>
        testMessages.send(agentId, key, message, signal),
      ),
    forget: area.forget.handler(({ input: { agentId, key } }) => owner.forget(agentId, key).then(() => done)),
    logs: area.logs
      .use(known)
      .handler(({ input: { agentId, key, ...filter } }) => keptLogs.read(agentId, key, filter)),
    followLogs: area.followLogs
      .use(known)
      .handler(({ input: { agentId, key, after }, signal }) =>
        followLogs({ pool, keptLogs }, agentId, key, after, signal),
      ),
  };
}
