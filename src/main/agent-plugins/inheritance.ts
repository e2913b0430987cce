import {
  type Agent,
  type AgentPluginRow,
  grantsOf,
  type Inherit,
  isObject,
  PatchbayError,
  type Plugin,
  type PolicyRule,
  type Problem,
} from "../../contract/index.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import { goneOf, isAnotherPackage, isOfAnother } from "../registry/another-package.ts";
import type { AgentPlugins, AgentStore, PluginRegistry } from "../registry/index.ts";
import { hasReference } from "../secrets/index.ts";
import type { AuditLog } from "../store/index.ts";
import { namesOfRow } from "./names.ts";
import type { SignInEnds } from "./sign-in-ends.ts";

type Config = Record<string, unknown>;

/** What another package has left behind under a key. */
export interface LeftBehind {
  packageName: string;
  /** How many agents have settings for it. */
  settings: number;
  /** How many rules allow its tools without a question. */
  rules: number;
  /** The names of the secrets that were given to it. */
  secrets: string[];
}

export interface InheritanceOptions {
  registry: Pick<PluginRegistry, "get">;
  agents: Pick<AgentStore, "list" | "revise">;
  agentPlugins: Pick<AgentPlugins, "get" | "list" | "set" | "keepGone" | "dropValues">;
  pool: Pick<PluginPool, "note">;
  audit: Pick<AuditLog, "record">;
  signIns: Pick<SignInEnds, "end">;
  onNotice?(problem: Problem): void;
  /** Removes the row, what the plugin stored, and the secrets of the row that nothing else has. */
  removeRow(agentId: string, key: string): Promise<void>;
  /** Runs a change of one agent's plugin when it is its turn. */
  at<T>(agentId: string, key: string, work: () => Promise<T>): Promise<T>;
}

export const nothing: Inherit = { settings: false, rules: false, secrets: false };

/**
 * What a package gets of what another package had under its key: nothing, unless the person says so. It starts off for
 * every agent in any case. A row that was made for another package is not run (`pool/wants/want.ts`) until this is done.
 */
export class Inheritance {
  readonly #options: InheritanceOptions;

  constructor(options: InheritanceOptions) {
    this.#options = options;
  }

  /** What another package than this one left behind under its key; null when there is nothing. */
  leftFor(plugin: Plugin): LeftBehind | null {
    const rows = this.#rowsFor(plugin);
    const [first] = rows;
    if (!first) return null;
    return {
      packageName: first.row.gone?.packageName ?? first.row.gone?.displayName ?? plugin.manifestKey,
      settings: rows.filter(({ row }) => Object.keys(row.config).length > 0).length,
      rules: rows.flatMap(({ agent, row }) => agent.policy.filter((rule) => allows(rule, row, plugin)))
        .length,
      secrets: [...new Set(rows.flatMap(({ row }) => namesOfRow(row)))],
    };
  }

  /** Hands the rows of the installed plugin's key over to it. @throws PatchbayError DISK_FULL, WRITE_FAILED */
  async takeOver(plugin: Plugin, inherit: Inherit): Promise<void> {
    const key = plugin.manifestKey;
    const rows = this.#rowsFor(plugin);
    for (const { agent } of rows) {
      await this.#options.at(agent.id, key, () => this.#handOver(agent.id, plugin, inherit));
    }
    const [first] = rows;
    if (!first) return;
    const from = first.row.gone?.packageName ?? first.row.gone?.displayName;
    this.#options.audit.record({
      kind: "plugin.key_changed_hands",
      pluginKey: key,
      from,
      to: plugin.packageName,
      source: plugin.source.kind,
      inherit,
      agents: rows.map(({ agent }) => agent.id),
    });
    this.#options.onNotice?.(changedHands(plugin, first.row, inherit).toProblem());
  }

  /** Finishes what a kill cut short. Nothing is inherited then. */
  async recover(plugins: readonly Plugin[]): Promise<void> {
    for (const plugin of plugins) await this.takeOver(plugin, nothing).catch(() => {});
  }

  async #handOver(agentId: string, plugin: Plugin, inherit: Inherit): Promise<void> {
    const { agentPlugins, signIns, removeRow, pool } = this.#options;
    const key = plugin.manifestKey;
    const row = agentPlugins.get(agentId, key);
    if (!row || !isOfAnother(row, plugin)) return;
    const why = changedHands(plugin, row, inherit).message;
    if (!inherit.rules) await this.#dropRules(agentId, row, plugin);
    if (!inherit.secrets) await signIns.end(agentId, key);
    if (!inherit.settings && !inherit.secrets) await removeRow(agentId, key);
    else {
      await agentPlugins.set(agentId, key, {
        enabled: false,
        // What the other package was allowed to reach is no setting: this one has what was agreed to for itself.
        grants: plugin.granted ?? grantsOf(plugin.consent),
        config: inherit.settings ? row.config : onlyReferences(row.config, plugin),
        given: inherit.secrets ? (row.given ?? namesOfRow(row)) : [],
        refused: [],
        ...(!inherit.secrets && { setupState: null }),
      });
      if (!inherit.settings) await agentPlugins.dropValues(agentId, key);
      await agentPlugins.keepGone(agentId, key, undefined);
    }
    pool.note(agentId, key, "warn", why, "patchbay");
  }

  async #dropRules(agentId: string, row: AgentPluginRow, plugin: Plugin): Promise<void> {
    const { agents } = this.#options;
    const agent = agents.list().find(({ id }) => id === agentId);
    if (!agent?.policy.some((rule) => allows(rule, row, plugin))) return;
    await agents.revise(agentId, ({ policy }) => ({
      policy: policy.filter((rule) => !allows(rule, row, plugin)),
    }));
  }

  #rowsFor(plugin: Plugin): { agent: Agent; row: AgentPluginRow }[] {
    const { agents, agentPlugins, registry } = this.#options;
    const present = registry.get(plugin.manifestKey);
    return agents.list().flatMap((agent) => {
      const row = agentPlugins.get(agent.id, plugin.manifestKey);
      if (!row) return [];
      // While the other package is still installed, its rows do not name it yet.
      const gone = present && isAnotherPackage(present, plugin) ? goneOf(present) : row.gone;
      return isOfAnother({ gone }, plugin) ? [{ agent, row: { ...row, gone } }] : [];
    });
  }
}

/** Whether a rule allows tools of the old or the new plugin without a question. Rules that ask or refuse always stay. */
function allows({ tool, effect }: PolicyRule, { gone }: AgentPluginRow, plugin: Plugin): boolean {
  const namespaces = [gone?.namespace, plugin.capabilities.tools?.namespace];
  return effect === "allow" && namespaces.some((name) => name !== undefined && tool.startsWith(`${name}__`));
}

/** Of settings only the references to secrets at the places of declared secrets. */
function onlyReferences(config: Config, { declaration }: Plugin): Config {
  let kept: Config = {};
  for (const { path } of declaration.secretKeys) {
    const value = path.reduce<unknown>((from, part) => (isObject(from) ? from[part] : undefined), config);
    if (typeof value === "string" && hasReference(value)) kept = placed(kept, path, value);
  }
  return kept;
}

function placed(config: Config, [head, ...rest]: readonly string[], value: unknown): Config {
  if (head === undefined) return config;
  const inner = config[head];
  return { ...config, [head]: rest.length > 0 ? placed(isObject(inner) ? inner : {}, rest, value) : value };
}

function changedHands(plugin: Plugin, { gone }: AgentPluginRow, inherit: Inherit): PatchbayError {
  const before = gone?.packageName ?? gone?.displayName ?? "another package";
  const parts = Object.entries(inherit).filter(([, is]) => is);
  const words = parts.map(([part]) => part).join(" and ");
  return new PatchbayError(
    "KEY_CHANGED_HANDS",
    `The key ${plugin.manifestKey} belonged to ${before} (${gone?.source.kind}) and belongs to ${plugin.packageName} (${plugin.source.kind}) now. ${plugin.displayName} is off, ` +
      (words ? `and has of what the other one had: ${words}.` : "and has nothing of what the other one had."),
    { details: { plugin: plugin.displayName, before, now: plugin.packageName, inherit } },
  );
}
