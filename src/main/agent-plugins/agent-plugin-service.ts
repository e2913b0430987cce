import { type AgentPluginRow, PatchbayError, type Plugin, type Problem } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { KeyedQueue } from "../base/serial-queue.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { type AgentPlugins, type PluginRegistry, refuseStale } from "../registry/index.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import type { Vault } from "../secrets/index.ts";
import type { Grants } from "../setup/persist/grants.ts";
import type { FinishedSetup, KeepsSetups } from "../setup/persist/keeps-setups.ts";
import { readRecord } from "../setup/persist/record.ts";
import { type AuditLog, agentNotFound } from "../store/index.ts";
import { AgentsOwner, type AgentsOwnerOptions } from "./agents-owner.ts";
import { type Change, commit, recover, removeRow, sweepRemovedAgents } from "./commit.ts";
import { changeOfSetup } from "./finished-setup.ts";
import { gainsBy } from "./gains.ts";
import { GonePlugins, type GonePluginsOptions } from "./gone-plugins.ts";
import { GrantChanges, type GrantChangesOptions } from "./grant-changes.ts";
import { Inheritance } from "./inheritance.ts";
import { namesOfRow, unsaidNames } from "./names.ts";
import { savedRow, sealedSave, type Wanted } from "./sealed-save.ts";
import { SignInEnds } from "./sign-in-ends.ts";
import { TriedSettings, type TriedSettingsOptions } from "./tried-settings.ts";

export interface AgentPluginServiceOptions {
  registry: Pick<PluginRegistry, "get" | "list">;
  agents: AgentsOwnerOptions["agents"];
  agentPlugins: AgentPlugins;
  removed?: AgentsOwnerOptions["removed"];
  vault: Vault;
  grants: Pick<Grants, "revoke">;
  runtimes: readonly PluginRuntime[];
  pool: Pick<
    PluginPool,
    "apply" | "wake" | "view" | "reconcile" | "restart" | "forget" | "stopAgent" | "note" | "offersAnew"
  >;
  permissions: GrantChangesOptions["permissions"];
  pins?: GrantChangesOptions["pins"];
  audit: Pick<AuditLog, "record">;
  /** Ends what an agent is at: its turns and conversations. */
  deactivate(agentId: string): Promise<void>;
  /** What the person should know although they asked for nothing. */
  onNotice?(problem: Problem): void;
  /** The clock of the system when absent. */
  clock?: Clock;
}

/**
 * The owner of what a person decides about one plugin of one agent: its settings and secrets, its switch, its sign-in,
 * and its removal. Every change is one `commit`. The row alone starts nothing: after each commit this service calls the
 * pool, which brings the instance to what the row says.
 */
export class AgentPluginService implements KeepsSetups {
  /** What agents keep of plugins that were uninstalled. */
  readonly gone: GonePlugins;
  /** Makes and removes agents. */
  readonly agents: AgentsOwner;
  /** Gives plugins what they may reach and which secrets they get, and takes it. */
  readonly permissions: GrantChanges;
  readonly #options: AgentPluginServiceOptions;
  /** Two changes of the same plugin of an agent run one after the other, and so do two writes for the same agent. */
  readonly #places = new KeyedQueue();
  readonly #writes = new KeyedQueue();
  readonly #signIns: SignInEnds;
  readonly #tried: TriedSettings;
  readonly #inheritance: Inheritance;
  /** What was left over could not be read while the vault was closed. */
  readonly #vaultChanged = () => this.#mendLater();
  #mending: Promise<void> = Promise.resolve();

  constructor(options: AgentPluginServiceOptions) {
    this.#options = options;
    this.#signIns = new SignInEnds({ ...options, commit: (change) => this.#commit(change) });
    const at: GonePluginsOptions["at"] = (...change) => this.#at(...change);
    const find: GrantChangesOptions["find"] = (...place) => this.#find(...place);
    const commit: GrantChangesOptions["commit"] = (change) => this.#commit(change);
    const write: TriedSettingsOptions["write"] = (...change) => this.#write(...change);
    this.#tried = new TriedSettings({ ...options, at, write, commit });
    this.permissions = new GrantChanges({ ...options, at, find, commit, save: this.configure.bind(this) });
    this.#inheritance = new Inheritance({
      ...options,
      signIns: this.#signIns,
      at,
      removeRow: (agentId, key) => this.#removeRow(agentId, key),
    });
    this.gone = new GonePlugins({ ...options, signIns: this.#signIns, inheritance: this.#inheritance, at });
    this.agents = new AgentsOwner({ ...options, revokeAll: (agentId) => this.#revokeAll(agentId), write });
    options.vault.changes.on("status", this.#vaultChanged);
  }

  /**
   * Removes the secrets and names that were left over when the app ended in the middle of saves and removals; then has
   * providers revoke the sign-ins of plugins that are gone, in the background. Call it before any plugin starts. Never rejects.
   */
  async recover(): Promise<void> {
    await this.#tried.recover();
    await recover(this.#options);
    await this.#inheritance.recover(this.#options.registry.list());
    this.#mendLater();
  }

  /** Waits for what goes on in the background. What asks a provider must have been told to stop. */
  async close(): Promise<void> {
    this.#options.vault.changes.off("status", this.#vaultChanged);
    await this.#mending;
  }

  /**
   * Changes the settings, the secrets, the switch, or several of them in one save. Resolves when the instance runs as
   * the new row says, or could not start and no settings are known with which it could.
   *
   * @param gives called before anything is written when the settings name stored secrets or hosts that the plugin had
   * not; what it throws ends the save
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, STALE_REVISION with `details: {yours, current}`,
   * BAD_INPUT, CONFIG_INVALID, VAULT_CLOSED, DISK_FULL, WRITE_FAILED; nothing is changed then. SETTINGS_REFUSED: it
   * runs with those that worked
   */
  async configure(agentId: string, key: string, wanted: Wanted, gives?: () => Promise<void>): Promise<void> {
    if (wanted.refused) return this.#tried[wanted.refused](agentId, key);
    if ((wanted.config || wanted.secrets) && wanted.enabled !== false) await this.#tried.wake(agentId, key);
    const saved = await this.#at(agentId, key, async () => {
      const { vault, audit } = this.#options;
      const { row, plugin } = this.#find(agentId, key);
      const { enabled, config, secrets, decidesApprovals, revision } = wanted;
      if (!plugin && (enabled === true || config || secrets)) {
        throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
      }
      // A stale revision is refused before the settings are checked: an error in them may come from somebody else's
      // change.
      refuseStale(key, { enabled, config, revision }, row);
      const sealed =
        plugin &&
        sealedSave(plugin, row, wanted, {
          accept: (given) => this.#runtimeOf(plugin)?.acceptSettings?.(plugin, given) ?? given,
          isStored: (name) => vault.has(name, agentId),
        });
      if (gives && config && sealed && gainsBy(sealed, row).length > 0) await gives();
      const outdated = [...(sealed?.outdated ?? []), ...((sealed && row?.refusedSettings?.names) ?? [])];
      const working = sealed && this.#tried.worthKeeping(agentId, row, outdated);
      const saved = await this.#commit({
        agentId,
        key,
        values: sealed?.values ?? new Map(),
        outdated,
        row: (names) => ({
          enabled,
          decidesApprovals,
          revision,
          ...(sealed && savedRow(plugin, row, sealed, names, wanted, working)),
        }),
      });
      const place = { agentId, pluginKey: key };
      if (enabled !== undefined && enabled !== (row?.enabled ?? false)) {
        audit.record({ kind: enabled ? "agent_plugin.enabled" : "agent_plugin.disabled", ...place });
      }
      if (sealed) audit.record({ kind: "agent_plugin.configured", ...place });
      if (decidesApprovals !== undefined && decidesApprovals !== row?.decidesApprovals)
        audit.record({ kind: "agent_plugin.deciding", ...place, granted: decidesApprovals });
      return saved;
    });
    await this.#options.pool.apply(agentId, key);
    await this.#tried.judge(agentId, key, saved.config);
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

  /** Starts or stops it as its row says, a tools-only plugin only once somebody wants it. Resolves when that is done. */
  async settle(agentId: string, key: string): Promise<void> {
    await this.#options.pool.reconcile(agentId, key);
  }

  /**
   * Starts it afresh, also out of quarantine.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND, PLUGIN_NOT_RUNNING when it is switched off, HELD_OFF
   */
  async restart(agentId: string, key: string): Promise<void> {
    this.#find(agentId, key);
    await this.#options.pool.restart(agentId, key);
  }

  /** Forgets the last error of it. @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND */
  clearError(agentId: string, key: string): void {
    this.#find(agentId, key);
    this.#options.agentPlugins.report(agentId, key, { lastError: null });
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
      await this.#signIns.drop(agentId, key, { keepProfiles: true });
      this.#options.audit.record({ kind: "setup.signed_out", agentId, pluginKey: key });
    });
  }

  /** Ends it and removes its row, what it stored, its sign-in, and the agent's secrets that nothing else refers to. */
  async forget(agentId: string, key: string): Promise<void> {
    await this.#at(agentId, key, async () => {
      this.#find(agentId, key);
      await this.#switchOff(agentId, key);
      await this.#signIns.end(agentId, key);
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

  async #revokeAll(agentId: string): Promise<void> {
    const keys = this.#options.agentPlugins.list(agentId).map(({ pluginKey }) => pluginKey);
    await Promise.all(keys.map((key) => this.#at(agentId, key, () => this.#signIns.end(agentId, key))));
  }

  #mendLater(): void {
    this.#mending = this.#mending.then(async () => {
      await sweepRemovedAgents(this.#options).catch(() => {});
      await this.gone.endSignIns();
    });
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, PLUGIN_NOT_FOUND when there is neither a row nor such a plugin */
  #find(agentId: string, key: string): { row: AgentPluginRow | undefined; plugin: Plugin | undefined } {
    const { agents, agentPlugins, registry } = this.#options;
    if (!agents.get(agentId)) throw agentNotFound(agentId);
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

  /** The row goes, and the secrets of this agent alone that nothing else of it refers to. */
  async #removeRow(agentId: string, key: string): Promise<void> {
    const row = this.#options.agentPlugins.get(agentId, key);
    if (!row) return;
    const names = new Set([...namesOfRow(row), ...unsaidNames(row)]);
    await this.#write(agentId, () => removeRow(this.#options, agentId, key, names));
    await this.#options.pool.forget(agentId, key);
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
