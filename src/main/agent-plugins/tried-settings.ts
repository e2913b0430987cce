import { isDeepStrictEqual } from "node:util";
import {
  type AgentPluginRow,
  PatchbayError,
  type Problem,
  type RefusedSettings,
  type WorkingSettings,
} from "../../contract/index.ts";
import { type Clock, isoTime, systemClock } from "../base/clock.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { givenTo } from "../registry/given-secrets.ts";
import type { AgentStore } from "../registry/index.ts";
import { amendRow, type Change, type CommitStores } from "./commit.ts";

export interface TriedSettingsOptions extends CommitStores {
  agents: CommitStores["agents"] & Pick<AgentStore, "list">;
  pool: Pick<PluginPool, "apply" | "wake" | "view">;
  clock?: Clock;
  /** One change of a plugin of an agent after the other. */
  at<T>(agentId: string, key: string, work: () => Promise<T>): Promise<T>;
  write<T>(agentId: string, work: () => Promise<T>): Promise<T>;
  commit(change: Change): Promise<AgentPluginRow>;
}

/**
 * New settings are on trial until the plugin has started with them: the row keeps those that worked beside them, in the
 * same write. When the start fails in whatever way, those are its settings again and the new ones are kept as refused.
 * A plugin system takes no part in it: what counts is the state that the pool reports.
 */
export class TriedSettings {
  readonly #options: TriedSettingsOptions;

  constructor(options: TriedSettingsOptions) {
    this.#options = options;
  }

  /**
   * Starts a plugin that sleeps until one of its tools is used, with the settings that it has: only so it shows whether
   * they work, before others are tried. Resolves when it runs or could not start; a start has its time limit.
   */
  async wake(agentId: string, key: string): Promise<void> {
    const { state, startsOnUse } = this.#options.pool.view(agentId, key);
    if (state === "stopped" && startsOnUse) await this.#options.pool.wake(agentId, key);
  }

  /**
   * The settings to keep while newer ones are tried; undefined when nothing shows that the present ones work.
   *
   * @param names secrets that may go when it is clear which settings stay
   */
  worthKeeping(
    agentId: string,
    row: AgentPluginRow | undefined,
    names: string[],
  ): WorkingSettings | undefined {
    if (row?.working) return { ...row.working, names: [...new Set([...row.working.names, ...names])] };
    if (!row?.enabled) return undefined;
    const { state } = this.#options.pool.view(agentId, row.pluginKey);
    if (state !== "running" && state !== "degraded") return undefined;
    const { config, ownHosts } = row;
    return { config, given: [...givenTo(row)], ...(ownHosts && { ownHosts }), names };
  }

  /**
   * Looks whether the plugin has started with these settings, and goes back to those that worked when it has not.
   * Where nothing is started, what was saved stays.
   *
   * @throws PatchbayError SETTINGS_REFUSED with the reason in its details
   */
  async judge(agentId: string, key: string, config: AgentPluginRow["config"]): Promise<void> {
    const { agentPlugins, pool, at } = this.#options;
    const reason = await at(agentId, key, async () => {
      const row = agentPlugins.get(agentId, key);
      if (!row?.working || !isDeepStrictEqual(row.config, config)) return null;
      const view = pool.view(agentId, key);
      switch (view.state) {
        case "running":
        case "degraded":
        // It was switched off meanwhile, or is held: a trial that nobody ends would undo the save at the next start.
        case "stopped":
        // A secret that the person took away, a vault that is closed: these settings are meant.
        case "needs_setup":
          await this.#amend(agentId, key, row.working.names, withoutTrial);
          return null;
        case "failed":
        case "quarantined": {
          const problem = view.reason ?? new PatchbayError("START_FAILED", "It did not start.").toProblem();
          await this.#amend(agentId, key, [], (row) => this.#wentBack(row, problem));
          return problem;
        }
        default:
          return null;
      }
    });
    if (!reason) return;
    await pool.apply(agentId, key);
    throw new PatchbayError(
      "SETTINGS_REFUSED",
      `${reason.message} The settings that worked before are in use again.`,
      { details: { ...reason.details, reason, revision: agentPlugins.get(agentId, key)?.revision } },
    );
  }

  /** Starts the plugin once more with the settings that it refused. Throws as `judge`. */
  async retry(agentId: string, key: string): Promise<void> {
    await this.wake(agentId, key);
    const row = await this.#options.at(agentId, key, async () => {
      const before = this.#options.agentPlugins.get(agentId, key);
      const refused = before?.refusedSettings;
      if (!refused) throw new PatchbayError("BAD_INPUT", "No settings are waiting to be tried again.");
      const { config, given, ownHosts, names } = refused;
      const working = this.worthKeeping(agentId, before, names);
      return this.#options.commit({
        agentId,
        key,
        values: new Map(),
        outdated: names,
        row: () => ({
          config,
          given,
          ownHosts: ownHosts ?? [],
          refusedSettings: null,
          working: working ?? null,
        }),
      });
    });
    await this.#options.pool.apply(agentId, key);
    await this.judge(agentId, key, row.config);
  }

  /** Forgets the settings that the plugin refused, with the secrets that only they needed. */
  async drop(agentId: string, key: string): Promise<void> {
    await this.#options.at(agentId, key, async () => {
      const row = this.#options.agentPlugins.get(agentId, key);
      if (row?.refusedSettings) await this.#amend(agentId, key, row.refusedSettings.names, withoutRefused);
    });
  }

  /** Goes back wherever the app ended before it was known whether a plugin starts. Never rejects. */
  async recover(): Promise<void> {
    const message = "Patchbay ended before the plugin had started with these settings.";
    const problem = new PatchbayError("SETTINGS_UNTRIED", message).toProblem();
    for (const { id } of this.#options.agents.list())
      for (const { working, pluginKey } of this.#options.agentPlugins.list(id))
        if (working)
          await this.#amend(id, pluginKey, [], (row) => this.#wentBack(row, problem)).catch(() => {});
  }

  #wentBack(row: AgentPluginRow, problem: Problem): AgentPluginRow {
    const { working, ...rest } = row;
    if (!working) return row;
    const { config, given, ownHosts, names } = working;
    const refused: RefusedSettings = {
      config: row.config,
      given: [...givenTo(row)],
      ...(row.ownHosts && { ownHosts: row.ownHosts }),
      names,
      problem,
      at: isoTime(this.#options.clock ?? systemClock),
    };
    const back = { config, given, ownHosts, revision: row.revision + 1, refusedSettings: refused };
    return { ...rest, ...back, working: undefined };
  }

  #amend(
    agentId: string,
    key: string,
    names: string[],
    edit: (row: AgentPluginRow) => AgentPluginRow,
  ): Promise<void> {
    return this.#options.write(agentId, () => amendRow(this.#options, agentId, key, names, edit));
  }
}

const withoutTrial = (row: AgentPluginRow): AgentPluginRow => ({ ...row, working: undefined });
const withoutRefused = (row: AgentPluginRow): AgentPluginRow => ({ ...row, refusedSettings: undefined });
