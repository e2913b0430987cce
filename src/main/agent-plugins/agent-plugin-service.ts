import { type AgentPluginRow, PatchbayError, type Plugin } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { KeyedQueue } from "../base/serial-queue.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { type AgentPlugins, type AgentStore, type PluginRegistry, refuseStale } from "../registry/index.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import type { Vault } from "../secrets/index.ts";
import type { Grants } from "../setup/persist/grants.ts";
import type { FinishedSetup, KeepsSetups } from "../setup/persist/keeps-setups.ts";
import { readRecord } from "../setup/persist/record.ts";
import type { AuditLog } from "../store/index.ts";
import { type Change, commit, recover, removeRow } from "./commit.ts";
import { changeOfSetup } from "./finished-setup.ts";
import { namesOfRow, unsaidNames } from "./names.ts";
import { sealedSave, type Wanted } from "./sealed-save.ts";

export interface AgentPluginServiceOptions {
  registry: Pick<PluginRegistry, "get">;
  agents: Pick<AgentStore, "get" | "list" | "remove">;
  agentPlugins: AgentPlugins;
  vault: Vault;
  grants: Pick<Grants, "revoke">;
  runtimes: readonly PluginRuntime[];
  pool: Pick<PluginPool, "apply" | "forget" | "stopAgent">;
  audit: Pick<AuditLog, "record">;
  /** The clock of the system when absent. */
  clock?: Clock;
}

/**
 * The owner of what a person decides about one plugin of one agent: its settings and secrets, its switch, its sign-in,
 * and its removal. Every change is one `commit`. The row alone starts nothing: after each commit this service calls the
 * pool, which brings the instance to what the row says.
 */
export class AgentPluginService implements KeepsSetups {
  readonly #options: AgentPluginServiceOptions;
  /** Two changes of the same plugin of an agent run one after the other, and so do two writes for the same agent. */
  readonly #places = new KeyedQueue();
  readonly #writes = new KeyedQueue();

  constructor(options: AgentPluginServiceOptions) {
    this.#options = options;
  }

  /**
   * Removes the secrets and names left over by saves that were cut short when the app ended. Call it before any plugin
   * starts. Never rejects.
   */
  async recover(): Promise<void> {
    await recover(this.#options);
  }

  /**
   * Changes the settings, the secrets, the switch, or several of them in one save. Resolves when the instance runs as
   * the new row says, or could not start.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, STALE_REVISION with `details: {yours, current}`,
   * BAD_INPUT, CONFIG_INVALID, VAULT_CLOSED, DISK_FULL, WRITE_FAILED; nothing is changed then
   */
  async configure(agentId: string, key: string, wanted: Wanted): Promise<void> {
    await this.#at(agentId, key, async () => {
      const { vault, audit } = this.#options;
      const { row, plugin } = this.#find(agentId, key);
      const { enabled, config, secrets, revision } = wanted;
      if (!plugin && (enabled === true || config || secrets)) {
        throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
      }
      // A stale revision is refused before the settings are checked: an error in them may come from somebody else's
      // change.
      refuseStale(key, { enabled, config, revision }, row);
      const sealed =
        plugin &&
        sealedSave(plugin, row?.config, wanted, {
          accept: (given) => this.#runtimeOf(plugin)?.acceptSettings?.(plugin, given) ?? given,
          isStored: (name) => vault.has(name, agentId),
        });
      await this.#commit({
        agentId,
        key,
        values: sealed?.values ?? new Map(),
        outdated: sealed?.outdated ?? [],
        row: (names) => ({ enabled, config: sealed?.config(names), revision }),
      });
      const place = { agentId, pluginKey: key };
      if (enabled !== undefined && enabled !== (row?.enabled ?? false)) {
        audit.record({ kind: enabled ? "agent_plugin.enabled" : "agent_plugin.disabled", ...place });
      }
      if (sealed) audit.record({ kind: "agent_plugin.configured", ...place });
    });
    await this.#options.pool.apply(agentId, key);
  }

  /** Switches it on or off; resolves when it has started or stopped, or could not start. Throws as `configure` does. */
  async switch(agentId: string, key: string, enabled: boolean): Promise<void> {
    await this.configure(agentId, key, { enabled });
  }

  /**
   * Starts or stops each plugin that is switched on for an agent, as what holds plugins off allows now. Resolves when
   * all have started, stopped or failed.
   */
  async settleAgent(agentId: string): Promise<void> {
    const { agentPlugins, pool } = this.#options;
    const switchedOn = agentPlugins.list(agentId).filter((row) => row.enabled);
    await Promise.all(switchedOn.map((row) => pool.apply(agentId, row.pluginKey)));
  }

  async finishSetup(finished: FinishedSetup): Promise<{ settled: Promise<void> }> {
    const { agentId, plugin, reason } = finished;
    const key = plugin.manifestKey;
    await this.#at(agentId, key, async () => {
      const { agentPlugins, vault, audit, clock = systemClock } = this.#options;
      const row = agentPlugins.get(agentId, key);
      await this.#commit(await changeOfSetup(finished, row, vault, this.#runtimeOf(plugin), clock));
      audit.record({ kind: "setup.finished", agentId, pluginKey: key, reason });
    });
    const settled = this.#options.pool.apply(agentId, key);
    // The settings are saved, so a failed start must not become an unhandled rejection when the caller does not wait
    // for it.
    settled.catch(() => {});
    return { settled };
  }

  /** Switches it off, revokes its sign-in at the provider as far as that can be done, and forgets it here in any case. */
  async signOut(agentId: string, key: string): Promise<void> {
    await this.#at(agentId, key, async () => {
      this.#find(agentId, key);
      await this.#switchOff(agentId, key);
      await this.#options.grants.revoke(agentId, key);
      await this.#dropSignIn(agentId, key, { keepProfiles: true });
      this.#options.audit.record({ kind: "setup.signed_out", agentId, pluginKey: key });
    });
  }

  /** Ends it and removes its row, what it stored, its sign-in, and the agent's secrets that nothing else refers to. */
  async forget(agentId: string, key: string): Promise<void> {
    await this.#at(agentId, key, async () => {
      this.#find(agentId, key);
      await this.#switchOff(agentId, key);
      await this.#endSignIn(agentId, key);
      await this.#removeRow(agentId, key);
      this.#options.audit.record({ kind: "agent_plugin.forgotten", agentId, pluginKey: key });
    });
  }

  async forgetUntouched(agentId: string, key: string): Promise<void> {
    await this.#at(agentId, key, async () => {
      const row = this.#options.agentPlugins.get(agentId, key);
      const isUntouched = row && !row.enabled && Object.keys(row.config).length === 0;
      if (isUntouched && readRecord(row).finished === null) await this.#removeRow(agentId, key);
    });
  }

  /** Removes an agent with everything that plugins have of it. What else runs for the agent must have ended. */
  async forgetAgent(agentId: string): Promise<void> {
    const { agents, agentPlugins, vault, pool, audit } = this.#options;
    await pool.stopAgent(agentId);
    const keys = agentPlugins.list(agentId).map(({ pluginKey }) => pluginKey);
    await Promise.all(keys.map((key) => this.#at(agentId, key, () => this.#endSignIn(agentId, key))));
    await agentPlugins.removeAgent(agentId);
    await agents.remove(agentId);
    await vault.removeAgent(agentId);
    audit.record({ kind: "agent.removed", agentId });
  }

  /**
   * Notes in each agent's row the name, version and source of a plugin that is about to be uninstalled, so that the row
   * can still be shown.
   */
  async keepGone({ manifestKey: key, displayName, packageVersion, source }: Plugin): Promise<void> {
    const { kind, spec, registry } = source;
    const from = { kind, spec, ...(registry !== undefined && { registry }) };
    const { agents, agentPlugins } = this.#options;
    for (const { id } of agents.list()) {
      await agentPlugins.keepGone(id, key, { displayName, packageVersion, source: from });
    }
  }

  /** Ends what a plugin that was uninstalled may do in the person's name. Its settings stay for a later installation. */
  async endSignIns(key: string): Promise<void> {
    const agents = this.#options.agents.list();
    await Promise.all(agents.map(({ id }) => this.#at(id, key, () => this.#endSignIn(id, key))));
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND when there is neither a row nor such a plugin */
  #find(agentId: string, key: string): { row: AgentPluginRow | undefined; plugin: Plugin | undefined } {
    const { agents, agentPlugins, registry } = this.#options;
    if (!agents.get(agentId)) {
      throw new PatchbayError("AGENT_NOT_FOUND", `There is no agent with the id ${agentId}.`);
    }
    const row = agentPlugins.get(agentId, key);
    const plugin = registry.get(key);
    if (row || plugin) return { row, plugin };
    throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed.`);
  }

  async #switchOff(agentId: string, key: string): Promise<void> {
    const { agentPlugins, pool } = this.#options;
    if (!agentPlugins.get(agentId, key)?.enabled) return;
    const none = { values: new Map(), outdated: [] };
    await this.#commit({ agentId, key, ...none, row: () => ({ enabled: false }) });
    await pool.apply(agentId, key);
  }

  /**
   * Revokes a plugin's sign-in at the provider, and deletes it here together with the profiles that the plugin stored.
   * Never rejects: a provider that cannot be reached must not prevent the plugin's removal; what failed is in the audit
   * entry.
   */
  async #endSignIn(agentId: string, key: string): Promise<void> {
    const { agentPlugins, grants, audit } = this.#options;
    const { finished } = readRecord(agentPlugins.get(agentId, key));
    if (!finished?.grant && !finished?.credentials) return;
    const failed: string[] = [];
    const attempt = (work: Promise<void>) =>
      work.catch(
        (error: unknown) => void failed.push(error instanceof Error ? error.message : String(error)),
      );
    await attempt(grants.revoke(agentId, key));
    await attempt(this.#dropSignIn(agentId, key, { keepProfiles: false }));
    audit.record({
      kind: "setup.signed_out",
      agentId,
      pluginKey: key,
      ...(failed.length > 0 && { failed }),
    });
  }

  async #dropSignIn(
    agentId: string,
    key: string,
    { keepProfiles }: { keepProfiles: boolean },
  ): Promise<void> {
    const { finished, open } = readRecord(this.#options.agentPlugins.get(agentId, key));
    if (!finished) return;
    const credentials = keepProfiles ? finished.credentials : null;
    const dropped = [finished.grant, keepProfiles ? null : finished.credentials];
    await this.#commit({
      agentId,
      key,
      values: new Map(),
      outdated: [],
      dropped: dropped.filter((name) => name !== null),
      row: () => ({
        setupState: { finished: { ...finished, account: null, grant: null, credentials }, open },
      }),
    });
  }

  /** The row goes, and the secrets of this agent alone that nothing else of it refers to. */
  async #removeRow(agentId: string, key: string): Promise<void> {
    const { agentPlugins, registry, pool } = this.#options;
    const row = agentPlugins.get(agentId, key);
    if (!row) return;
    const names = new Set([...namesOfRow(row, registry.get(key)), ...unsaidNames(row)]);
    await this.#write(agentId, () => removeRow(this.#options, agentId, key, names));
    await pool.forget(agentId, key);
  }

  #runtimeOf({ runtime }: Plugin): PluginRuntime | undefined {
    return this.#options.runtimes.find(({ id }) => id === runtime);
  }

  #commit(change: Change): Promise<AgentPluginRow> {
    return this.#write(change.agentId, () => commit(this.#options, change));
  }

  #write<T>(agentId: string, work: () => Promise<T>): Promise<T> {
    return this.#writes.run(agentId, work);
  }

  #at<T>(agentId: string, key: string, work: () => Promise<T>): Promise<T> {
    return this.#places.run(`${agentId} ${key}`, work);
  }
}
