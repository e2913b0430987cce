import type { AppChange } from "../../contract/index.ts";
import { vaultStatus } from "../rpc/procedures/app.ts";
import type { Services } from "../rpc/services.ts";

/** Turns the changes that services announce into what screens show. */
export function announceChanges(services: Services): void {
  const { events, views, settings, agents, agentPlugins, registry, pool, vault } = services;
  const { jobs, work, notices, loadChecks, holds, setups, platform } = services;

  const agent = (id: string) =>
    events.touch(`agent ${id}`, () => {
      const found = agents.get(id);
      return found ? { type: "agent", agent: views.agent(found) } : { type: "agent_removed", agentId: id };
    });
  const plugin = (key: string) =>
    events.touch(`plugin ${key}`, () => {
      const found = registry.get(key);
      return found ? { type: "plugin", plugin: views.plugin(found) } : { type: "plugin_removed", key };
    });
  const row = (agentId: string, key: string) =>
    events.touch(`row ${agentId} ${key}`, () => {
      if (!agents.get(agentId)) return null;
      const found = agentPlugins.get(agentId, key);
      return found
        ? { type: "agent_plugin", row: views.agentPluginState(agentId, found) }
        : { type: "agent_plugin_removed", agentId, key };
    });
  const rowsOf = (key: string) => {
    for (const { id } of agents.list()) if (agentPlugins.get(id, key)) row(id, key);
  };
  const value = (id: string, change: AppChange) => events.touch(id, () => change);

  const enabled = new Map<string, boolean>();
  agentPlugins.changes.on("row", (agentId, key) => {
    row(agentId, key);
    // A plugin tells who uses it and an agent how many are on; what a running plugin reports changes neither.
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
  vault.changes.on("changed", (_name, agentId) => {
    // Which secrets are there is part of a row.
    for (const { id } of agents.list())
      if (agentId === null || agentId === id)
        for (const { pluginKey } of agentPlugins.list(id)) row(id, pluginKey);
  });
  vault.changes.on("status", () => value("vault", { type: "vault", vault: vaultStatus(vault, platform) }));
  settings.changes.on("settings", (changed) => value("settings", { type: "settings", settings: changed }));
  jobs.changes.on("job", (job) => value(`job ${job.id}`, { type: "job", job }));
  jobs.changes.on("removed", (id) => value(`job ${id}`, { type: "job_removed", id }));
  work.changes.on("approval", (approval) => value(`approval ${approval.id}`, { type: "approval", approval }));
  work.changes.on("dialog", (dialog) => value(`dialog ${dialog.id}`, { type: "dialog", dialog }));
  work.changes.on("dialogClosed", (id) => value(`dialog ${id}`, { type: "dialog_closed", id }));
  work.changes.on("session", (session) =>
    value(`session ${session.agentId} ${session.id}`, { type: "session", session }),
  );
  holds.changes.on("holds", (changed) => {
    value("holds", { type: "holds", holds: changed });
    // Why a plugin is off is part of its row.
    for (const { id } of agents.list()) for (const { pluginKey } of agentPlugins.list(id)) row(id, pluginKey);
  });
  setups.changes.on("setup", (agentId, key) =>
    events.touch(`setup ${agentId} ${key}`, () => {
      const setup = setups.get(agentId, key);
      return setup && { type: "setup", setup };
    }),
  );
  setups.changes.on("closed", (agentId, key, id) =>
    events.touch(`setup ${agentId} ${key}`, () => {
      // Another one may have been opened since.
      const setup = setups.get(agentId, key);
      return setup ? { type: "setup", setup } : { type: "setup_closed", agentId, key, id };
    }),
  );
  notices.changes.on("notice", (notice) => value(`notice ${notice.id}`, { type: "notice", notice }));
}
