import { type AgentPluginView, PatchbayError, type Plugin } from "../../../contract/index.ts";
import { validateConfig } from "../../registry/index.ts";
import { type SealedConfig, sealSecrets } from "../../registry/secret-fields.ts";
import { wrapConfig } from "../../runtimes/native/manifest/wrap-settings.ts";
import { findReferences, plainReferences } from "../../secrets/index.ts";
import { endCredentials } from "../../setup/end-credentials.ts";
import { followLogs } from "../follow-logs.ts";
import { done, procedures } from "../implementer.ts";
import type { Services } from "../services.ts";
import { sendTestMessage } from "./channel-messages.ts";

interface Change {
  enabled?: boolean;
  config?: Record<string, unknown>;
  secrets?: Record<string, string>;
  revision?: number;
}

export function agentPluginProcedures(services: Services) {
  const { agentPlugins, pool, views, loadChecks, audit, vault } = services;
  const area = procedures.agentPlugins;
  return {
    list: area.list.handler(({ input }) => views.agentPlugins(input.agentId)),
    get: area.get.handler(async ({ input: { agentId, key } }) => {
      const plugin = services.registry.get(key);
      if (plugin) await loadChecks.check(plugin);
      return views.agentPluginByKey(agentId, key);
    }),
    set: area.set.handler(({ input: { agentId, key, ...wanted } }) => change(services, agentId, key, wanted)),
    restart: area.restart.handler(async ({ input: { agentId, key } }) => {
      views.agentPluginByKey(agentId, key);
      await pool.restart(agentId, key);
      return views.agentPluginByKey(agentId, key);
    }),
    clearError: area.clearError.handler(({ input: { agentId, key } }) => {
      views.agentPluginByKey(agentId, key);
      agentPlugins.report(agentId, key, { lastError: null });
      return views.agentPluginByKey(agentId, key);
    }),
    traffic: area.traffic.handler(({ input: { agentId, key, limit, text } }) => {
      views.agentPluginByKey(agentId, key);
      return services.work.channels.traffic(agentId, key, limit, text === true || text === "true");
    }),
    testMessage: area.testMessage.handler(({ input: { agentId, key, ...message }, signal }) => {
      views.agentPluginByKey(agentId, key);
      return sendTestMessage(services, agentId, key, message, signal);
    }),
    forget: area.forget.handler(async ({ input: { agentId, key } }) => {
      views.agentPluginByKey(agentId, key);
      if (agentPlugins.get(agentId, key)?.enabled) {
        agentPlugins.set(agentId, key, { enabled: false });
        await pool.reconcile(agentId, key);
      }
      await endCredentials(services, agentId, key);
      const secrets = secretsOfAlone(services, agentId, key);
      agentPlugins.forget(agentId, key);
      for (const name of secrets) await vault.remove(name, agentId).catch(() => {});
      audit.record({ kind: "agent_plugin.forgotten", agentId, pluginKey: key });
      return done;
    }),
    logs: area.logs.handler(({ input: { agentId, key, ...filter } }) => {
      views.agentPluginByKey(agentId, key);
      return pool.logs(agentId, key, filter);
    }),
    followLogs: area.followLogs.handler(({ input: { agentId, key, after }, signal }) => {
      views.agentPluginByKey(agentId, key);
      return followLogs(pool, agentId, key, after, signal);
    }),
  };
}

/** Secrets of this agent alone that nothing else of it refers to: they go with the settings that do. */
function secretsOfAlone({ agents, agentPlugins, vault }: Services, agentId: string, key: string): string[] {
  const rows = agentPlugins.list(agentId);
  const others = rows.filter(({ pluginKey }) => pluginKey !== key).map(({ config }) => config);
  const elsewhere = new Set([...findReferences(others), ...findReferences(agents.get(agentId)?.model)]);
  return findReferences(agentPlugins.get(agentId, key)?.config).filter(
    (name) => !elsewhere.has(name) && isStored(vault, name, agentId),
  );
}

/** Stores what the person decided, brings the instance to it, and answers with what then is. */
async function change(
  services: Services,
  agentId: string,
  key: string,
  wanted: Change,
): Promise<AgentPluginView> {
  const { registry, agentPlugins, pool, views, vault, audit } = services;
  const before = views.agentPluginByKey(agentId, key);
  const plugin = registry.get(key);
  if (!plugin && (wanted.enabled === true || wanted.config || wanted.secrets))
    throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
  const { enabled, revision } = wanted;
  // Refused before anything is stored; the row refuses once more, in case somebody is faster.
  if (revision !== undefined && revision !== before.revision)
    agentPlugins.set(agentId, key, { enabled, config: wanted.config, revision });
  const sealed = plugin && sealedConfig(plugin, before.config, wanted);
  for (const [name, value] of sealed?.store ?? []) if (value !== null) await vault.set(name, agentId, value);
  agentPlugins.set(agentId, key, { enabled, config: sealed?.config, revision });
  for (const [name, value] of sealed?.store ?? [])
    if (value === null && isStored(vault, name, agentId)) await vault.remove(name, agentId);
  const pluginKey = key;
  if (enabled !== undefined && enabled !== before.enabled)
    audit.record({ kind: enabled ? "agent_plugin.enabled" : "agent_plugin.disabled", agentId, pluginKey });
  if (sealed) audit.record({ kind: "agent_plugin.configured", agentId, pluginKey });
  await pool.reconcile(agentId, key);
  return views.agentPluginByKey(agentId, key);
}

/** The settings to store, with every secret in the vault. @throws PatchbayError BAD_INPUT, CONFIG_INVALID */
function sealedConfig(
  plugin: Plugin,
  current: Record<string, unknown>,
  wanted: Change,
): SealedConfig | undefined {
  if (!wanted.config && !wanted.secrets) return undefined;
  const declared = new Set(plugin.declaration.secretKeys.map((secret) => secret.key));
  const unknown = Object.keys(wanted.secrets ?? {}).filter((key) => !declared.has(key));
  if (unknown.length > 0) {
    throw new PatchbayError(
      "BAD_INPUT",
      `${plugin.displayName} declares no secret named ${unknown.join(", ")}.`,
      {
        help: declared.size > 0 ? `It declares: ${[...declared].join(", ")}.` : "It declares none.",
      },
    );
  }
  const config = wrapConfig(
    plugin.declaration,
    plugin.capabilities,
    plainReferences(wanted.config ?? current),
  );
  const sealed = sealSecrets(plugin, config, wanted.secrets ?? {});
  if (wanted.config) validateConfig(plugin.declaration, sealed.config);
  return sealed;
}

function isStored(vault: Services["vault"], name: string, agentId: string): boolean {
  return vault.list().some((secret) => secret.name === name && secret.agentId === agentId);
}
