import type { AgentPlugins, AgentStore } from "../../registry/index.ts";
import type { Vault } from "../../secrets/index.ts";
import type { Grants } from "../oauth/grants.ts";
import type { PluginCredentials } from "./plugin-credentials.ts";

export interface SecretSources {
  vault: Vault;
  agents: Pick<AgentStore, "list">;
  agentPlugins: Pick<AgentPlugins, "list">;
  grants: Pick<Grants, "learn">;
  credentials: Pick<PluginCredentials, "read">;
}

/**
 * The vault takes whole entries out of texts. Sign-ins and profiles are entries with several secrets inside: they become
 * known here, before anything that runs could tell one.
 */
export function learnSecrets({ vault, agents, agentPlugins, grants, credentials }: SecretSources): void {
  if (!vault.status().open) return;
  for (const { id } of agents.list()) {
    for (const { pluginKey, setupState } of agentPlugins.list(id)) {
      if (setupState === null) continue;
      try {
        grants.learn(id, pluginKey);
        credentials.read(id, pluginKey);
      } catch {
        // An entry that is damaged tells nobody anything; the vault has said so.
      }
    }
  }
}
