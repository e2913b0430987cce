import { join } from "node:path";
import type { AgentPluginService } from "../../agent-plugins/agent-plugin-service.ts";
import {
  Catalog,
  InstalledAdvice,
  InstallJobs,
  type InstallJobsOptions,
  McpRegistry,
  type PoolHooks,
  RegistryIcons,
  Uploads,
} from "../../catalog/index.ts";
import type { AgentPlugins, AgentStore, PluginRegistry } from "../../registry/index.ts";

type InstallingNeeds = Omit<InstallJobsOptions, "limits" | "gone" | "pool" | "mcpRegistry"> & {
  owner: Pick<AgentPluginService, "gone" | "restart">;
  pool: Omit<PoolHooks, "startAgain">;
  registry: Pick<PluginRegistry, "changes">;
  agents: Pick<AgentStore, "list">;
  agentPlugins: Pick<AgentPlugins, "get">;
};

export interface Installing {
  catalog: Catalog;
  jobs: InstallJobs;
  uploads: Uploads;
  mcpRegistry: McpRegistry;
  advice: InstalledAdvice;
  icons: RegistryIcons;
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
    file: join(more.storage.places.cache, "mcp-registry.json"),
  });
  const needs = { ...more, pool, mcpRegistry };
  const catalog = new Catalog(needs);
  stack.defer(() => catalog.close());
  const jobs = new InstallJobs({ ...needs, gone: owner.gone });
  stack.defer(() => jobs.close());
  const advice = new InstalledAdvice({ plugins: () => more.registry.list(), mcpRegistry });
  void advice.look().catch(() => {});
  const icons = new RegistryIcons({
    mcpRegistry,
    address: () => more.settings.get().mcpRegistry,
    plugins: () => more.registry.list(),
    dir: join(more.storage.places.cache, "mcp-icons"),
  });
  more.registry.changes.on("put", () => icons.look());
  stack.defer(() => icons.close());
  return {
    catalog,
    jobs,
    mcpRegistry,
    advice,
    icons,
    uploads: new Uploads({ places: needs.storage.places, jobs }),
  };
}
