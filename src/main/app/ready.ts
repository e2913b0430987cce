import type { Services } from "../rpc/services.ts";

type Needs = Pick<Services, "platform" | "agents" | "agentPlugins" | "registry" | "pool">;

/** An agent is ready when the plugins that listen to it have started, as far as they do: a guard must not be late. */
export function startsListeners({
  platform,
  agents,
  agentPlugins,
  registry,
  pool,
}: Needs): Services["ready"] {
  const started = new Map<string, Promise<unknown>>();

  function start(agentId: string): Promise<unknown> {
    const listening = agentPlugins.list(agentId).filter((row) => {
      const capabilities = row.enabled && registry.get(row.pluginKey)?.capabilities;
      if (!capabilities) return false;
      // A channel that runs for one command would take messages and be gone.
      return (
        capabilities.hooks || capabilities.commands || (capabilities.channel && platform.shell !== "cli")
      );
    });
    return Promise.all(listening.map((row) => pool.reconcile(agentId, row.pluginKey)));
  }

  return async (agentId) => {
    if (!agents.get(agentId)) return;
    let ready = started.get(agentId);
    if (!ready) {
      ready = start(agentId);
      started.set(agentId, ready);
    }
    await ready;
  };
}
