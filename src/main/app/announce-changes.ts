import { collections, type values } from "../../contract/index.ts";
import type { Agents } from "../agents/index.ts";
import type {
  InstalledAdvice,
  InstallJobs,
  LinkedFolders,
  McpRegistry,
  RegistryIcons,
} from "../catalog/index.ts";
import type { Holds } from "../holds/holds.ts";
import type { MachineWalls } from "../permissions/machine-walls.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { Checks } from "../pool/check/checks.ts";
import type { KeptFigures } from "../pool/figures/kept-figures.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore, PluginRegistry, SettingsStore } from "../registry/index.ts";
import type { Pins } from "../registry/pins/pins.ts";
import type { Removed } from "../removed/removed.ts";
import type { Vault } from "../secrets/index.ts";
import type { Setups } from "../setup/setups.ts";
import { Announcer } from "../views/announcer.ts";
import type { AppEvents } from "../views/app-events.ts";
import type { AppEntities } from "../views/entities.ts";
import type { LoadChecks } from "../views/load-checks.ts";
import type { Notices } from "../views/notices.ts";
import type { AppValues } from "../views/values.ts";

/** Those who say that something has changed. */
export interface ChangeSources {
  agents: Pick<AgentStore, "changes" | "list">;
  agentPlugins: Pick<AgentPlugins, "changes" | "list" | "get">;
  registry: Pick<PluginRegistry, "changes" | "list">;
  settings: Pick<SettingsStore, "changes">;
  pool: Pick<PluginPool, "changes">;
  vault: Pick<Vault, "changes">;
  jobs: Pick<InstallJobs, "changes">;
  work: Pick<Agents, "changes">;
  notices: Pick<Notices, "changes">;
  loadChecks: Pick<LoadChecks, "changes">;
  linked: Pick<LinkedFolders, "changes">;
  pins: Pick<Pins, "changes">;
  checks: Pick<Checks, "changes">;
  holds: Pick<Holds, "changes">;
  setups: Pick<Setups, "changes">;
  permissions: Pick<Permissions, "changes">;
  figures: Pick<KeptFigures, "changes">;
  walls: Pick<MachineWalls, "changes">;
  removed: Pick<Removed, "changes">;
  mcpRegistry: Pick<McpRegistry, "changes">;
  advice: Pick<InstalledAdvice, "changes">;
  icons: Pick<RegistryIcons, "changes">;
}

interface Told {
  events: AppEvents;
  entities: AppEntities;
  values: AppValues;
}

/** Turns what services say into changes of what screens show. */
export function announceChanges(sources: ChangeSources, { events, entities, values: readers }: Told): void {
  const { settings, agents, agentPlugins, registry, pool, vault } = sources;
  const { jobs, work, notices, loadChecks, linked, holds, setups, permissions } = sources;
  const { figures, walls, removed, mcpRegistry, advice, icons, pins } = sources;
  const announcer = new Announcer<typeof collections, typeof values>(events, collections, entities, readers);

  const agent = (id: string) => announcer.changed("agents", id);
  const plugin = (key: string) => announcer.changed("plugins", key);
  const row = (agentId: string, key: string) => announcer.changed("agentPlugins", agentId, key);
  const setup = (agentId: string, key: string) => announcer.changed("setups", agentId, key);
  const rowsOf = (key: string) => {
    for (const { id } of agents.list()) if (agentPlugins.get(id, key)) row(id, key);
  };
  const rowsOfAgents = (agentId: string | null) => {
    for (const { id } of agents.list())
      if (agentId === null || agentId === id)
        for (const { pluginKey } of agentPlugins.list(id)) row(id, pluginKey);
  };

  const enabled = new Map<string, boolean>();
  agentPlugins.changes.on("row", (agentId, key) => {
    row(agentId, key);
    // The view of a plugin says who uses it, and that of an agent how many plugins are on. Both change only when a
    // plugin is switched, not when a running plugin reports its state.
    const now = agentPlugins.get(agentId, key)?.enabled === true;
    if (enabled.get(`${agentId} ${key}`) === now) return;
    enabled.set(`${agentId} ${key}`, now);
    plugin(key);
    agent(agentId);
  });
  agentPlugins.changes.on("forgotten", (agentId, key) => {
    enabled.delete(`${agentId} ${key}`);
    row(agentId, key);
    plugin(key);
    agent(agentId);
  });
  pool.changes.on("instance", (agentId, key) => {
    row(agentId, key);
    agent(agentId);
  });
  permissions.changes.on("counted", row);
  figures.changes.on("counted", row);
  mcpRegistry.changes.on("list", () => announcer.set("mcpList"));
  advice.changes.on("advice", plugin);
  icons.changes.on("icon", plugin);
  walls.changes.on("walls", () => announcer.set("walls"));
  agents.changes.on("agent", ({ id }) => agent(id));
  agents.changes.on("removed", (id) => {
    agent(id);
    for (const { manifestKey } of registry.list()) plugin(manifestKey);
  });
  registry.changes.on("put", ({ manifestKey }) => {
    plugin(manifestKey);
    rowsOf(manifestKey);
  });
  registry.changes.on("removed", (key) => {
    plugin(key);
    rowsOf(key);
    for (const { id } of agents.list()) agent(id);
  });
  loadChecks.changes.on("checked", plugin);
  linked.changes.on("grown", plugin);
  pins.changes.on("pins", plugin);
  sources.checks.changes.on("check", plugin);
  // A row shows which of its secrets are stored.
  vault.changes.on("changed", (_name, agentId) => rowsOfAgents(agentId));
  vault.changes.on("status", () => announcer.set("vault"));
  settings.changes.on("settings", () => announcer.set("settings"));
  holds.changes.on("holds", () => {
    announcer.set("holds");
    // A row shows why its plugin is kept off.
    rowsOfAgents(null);
  });
  jobs.changes.on("job", (job) => announcer.put("jobs", job));
  jobs.changes.on("removed", (id) => announcer.changed("jobs", id));
  work.changes.on("approval", (approval) => announcer.put("approvals", approval));
  work.changes.on("dialog", (dialog) => announcer.put("dialogs", dialog));
  work.changes.on("dialogClosed", (id) => announcer.changed("dialogs", id));
  work.changes.on("session", (session) => announcer.put("sessions", session));
  setups.changes.on("setup", setup);
  setups.changes.on("closed", setup);
  removed.changes.on("thing", (id) => announcer.changed("removed", id));
  removed.changes.on("session", (id) => announcer.changed("sessions", id));
  notices.changes.on("notice", ({ id }) => announcer.changed("notices", id));
}
