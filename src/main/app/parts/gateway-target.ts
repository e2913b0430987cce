import type { AgentApiTarget } from "../../gateway/agent-api/ports.ts";
import type { WebhookHandler } from "../../gateway/webhooks.ts";
import type { PluginPool } from "../../pool/plugin-pool.ts";
import type { PluginRegistry, SettingsStore } from "../../registry/index.ts";
import { scopeOutsideTurns } from "../../runtimes/plugin-call.ts";
import { channelNamed, liveStates } from "../channel-names.ts";

interface DoorNeeds {
  pool: Pick<PluginPool, "view">;
  tokens: AgentApiTarget["tokens"];
  desk: AgentApiTarget["desk"];
  limits: AgentApiTarget["limits"];
}

/** What channels with a URL and a token may do. */
export function channelTarget({ pool, tokens, desk, limits }: DoorNeeds): AgentApiTarget {
  return {
    tokens,
    desk,
    limits,
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
