import type { AgentApiTarget } from "../../gateway/agent-api/ports.ts";
import type { WebhookHandler } from "../../gateway/webhooks.ts";
import type { PluginPool } from "../../pool/plugin-pool.ts";
import type { AgentPlugins, PluginRegistry, SettingsStore } from "../../registry/index.ts";
import { scopeOutsideTurns } from "../../runtimes/plugin-call.ts";
import type { PluginRuntime } from "../../runtimes/runtime.ts";
import { channelNamed, liveStates } from "../channel-names.ts";

interface DoorNeeds {
  runtimes: readonly Pick<PluginRuntime, "id" | "roleOf">[];
  registry: Pick<PluginRegistry, "get">;
  agentPlugins: Pick<AgentPlugins, "get">;
  pool: Pick<PluginPool, "view">;
  tokens: AgentApiTarget["tokens"];
  desk: AgentApiTarget["desk"];
}

/** What channels with a URL and a token may do. */
export function channelTarget({
  runtimes,
  registry,
  agentPlugins,
  pool,
  tokens,
  desk,
}: DoorNeeds): AgentApiTarget {
  return {
    tokens,
    desk,
    roleOf: (agentId, key, userId) => {
      const runtime = runtimes.find(({ id }) => id === registry.get(key)?.runtime);
      return runtime?.roleOf?.(agentPlugins.get(agentId, key)?.config ?? {}, userId);
    },
    isLive: (agentId, key) => liveStates.has(pool.view(agentId, key).state),
  };
}

interface WebhookNeeds {
  registry: Pick<PluginRegistry, "list">;
  settings: Pick<SettingsStore, "get">;
  pool: Pick<PluginPool, "call">;
}

/** Brings a request from outside to the plugin whose channel it names. */
export function webhookTarget({ registry, settings, pool }: WebhookNeeds): WebhookHandler {
  return (agentId, namespace, request, signal) =>
    pool.call(
      agentId,
      channelNamed(registry, namespace),
      { kind: "webhook", request },
      scopeOutsideTurns(signal, settings.get().limits.toolMs),
    );
}
