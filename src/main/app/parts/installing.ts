import { join } from "node:path";
import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import {
  Catalog,
  InstalledAdvice,
  InstallJobs,
  type InstallJobsOptions,
  McpRegistry,
  type PoolHooks,
  Uploads,
} from "../../catalog/index.ts";
import type { AgentPlugins, AgentStore } from "../../registry/index.ts";

type InstallingNeeds = Omit<InstallJobsOptions, "limits" | "gone" | "pool" | "mcpRegistry"> & {
  owner: Pick<AgentPluginService, "gone" | "restart">;
  pool: Omit<PoolHooks, "startAgain">;
  agents: Pick<AgentStore, "list">;
  agentPlugins: Pick<AgentPlugins, "get">;
};

export interface Installing {
  catalog: Catalog;
  jobs: InstallJobs;
  uploads: Uploads;
  mcpRegistry: McpRegistry;
  advice: InstalledAdvice;
}

/** What can be installed, and the jobs that do it. */
export function openInstalling(
  { owner, pool: running, agents, agentPlugins, ...more }: InstallingNeeds,
  stack: AsyncDisposableStack,
): Installing {
  const startAgain = async (key: string) => {
    const users = agents.list().filter(({ id }) => agentPlugins.get(id, key)?.enabled);
    // One that is held off is not started, and says so itself.
    await Promise.all(users.map(({ id }) => owner.restart(id, key).catch(() => {})));
  };
  const pool: PoolHooks = {
    trial: (plugin) => running.trial(plugin),
    stopPlugin: (key) => running.stopPlugin(key),
    startAgain,
  };
  const mcpRegistry = new McpRegistry({
    address: () => more.settings.get().mcpRegistry,
    file: join(more.storage.places.npmCache, "..", "mcp-registry.json"),
  });
  const needs = { ...more, pool, mcpRegistry };
  const catalog = new Catalog(needs);
  stack.defer(() => catalog.close());
  const jobs = new InstallJobs({ ...needs, gone: owner.gone });
  stack.defer(() => jobs.close());
  const advice = new InstalledAdvice({ plugins: () => more.registry.list(), mcpRegistry });
  void advice.look().catch(() => {});
  return { catalog, jobs, mcpRegistry, advice, uploads: new Uploads({ places: needs.storage.places, jobs }) };
}
