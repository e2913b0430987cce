import type { AgentPlugins, AgentStore } from "../../registry/index.ts";
import type { Vault } from "../../secrets/index.ts";
import type { Grants } from "./grants.ts";
import type { PluginCredentials } from "./plugin-credentials.ts";

export interface SecretSources {
  vault: Pick<Vault, "status">;
  agents: Pick<AgentStore, "list">;
  agentPlugins: Pick<AgentPlugins, "list">;
  grants: Pick<Grants, "learn">;
  credentials: Pick<PluginCredentials, "learn">;
}

/**
 * Tells the vault the secrets inside sign-ins and profiles. The vault by itself hides only whole entries in texts, and
 * these entries hold several secrets each. Call it before any plugin runs, so that none can print one.
 */
export function learnSecrets({ vault, agents, agentPlugins, grants, credentials }: SecretSources): void {
  if (!vault.status().open) return;
  for (const { id } of agents.list()) {
    for (const { pluginKey, setupState } of agentPlugins.list(id)) {
      if (setupState === null) continue;
      try {
        grants.learn(id, pluginKey);
        credentials.learn(id, pluginKey);
      } catch {
        // A damaged entry holds nothing that a plugin could print; the vault has reported the damage.
      }
    }
  }
}
