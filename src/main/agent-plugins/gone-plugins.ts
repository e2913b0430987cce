import type { AgentPluginRow, Inherit, Plugin } from "../../contract/index.ts";
import { goneOf } from "../registry/another-package.ts";
import type { AgentPlugins, AgentStore, PluginRegistry } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import { type Inheritance, type LeftBehind, nothing } from "./inheritance.ts";
import type { SignInEnds } from "./sign-in-ends.ts";

export interface GonePluginsOptions {
  registry: Pick<PluginRegistry, "get">;
  agents: Pick<AgentStore, "list">;
  agentPlugins: Pick<AgentPlugins, "list" | "keepGone">;
  vault: Pick<Vault, "status">;
  signIns: Pick<SignInEnds, "end">;
  inheritance: Inheritance;
  /** Runs a change of one agent's plugin when it is its turn. */
  at<T>(agentId: string, key: string, work: () => Promise<T>): Promise<T>;
}

/** What agents keep of plugins that were uninstalled: their settings, for a later installation; no sign-in. */
export class GonePlugins {
  readonly #options: GonePluginsOptions;

  constructor(options: GonePluginsOptions) {
    this.#options = options;
  }

  /**
   * Notes in each agent's row the name, version and source of a plugin that is about to be uninstalled, so that the row
   * can still be shown.
   */
  async keep(plugin: Plugin): Promise<void> {
    const { agents, agentPlugins } = this.#options;
    const namespace = plugin.capabilities.tools?.namespace;
    for (const { id, policy } of agents.list()) {
      // Rules for its tools outlive it too: with them an agent that has no row keeps one, so that nobody else gets them.
      const hasRules =
        namespace !== undefined && policy.some(({ tool }) => tool.startsWith(`${namespace}__`));
      await agentPlugins.keepGone(id, plugin.manifestKey, goneOf(plugin), hasRules);
    }
  }

  /** What another package than this one left behind under its key; null when there is nothing. */
  leftFor(plugin: Plugin): LeftBehind | null {
    return this.#options.inheritance.leftFor(plugin);
  }

  /** Hands the rows of another package over to the one that is installed under their key now. */
  takeOver(plugin: Plugin, inherit: Inherit = nothing): Promise<void> {
    return this.#options.inheritance.takeOver(plugin, inherit);
  }

  /**
   * Ends what plugins that were uninstalled may do in the person's name: one of them, or all for which that was not done
   * yet. Never rejects: while the vault is closed nothing is done, and what is not done is done when the vault opens, or
   * at the next start.
   */
  async endSignIns(key?: string): Promise<void> {
    const { agents, agentPlugins, vault } = this.#options;
    if (!vault.status().open) return;
    const isMeant = (row: AgentPluginRow) => row.gone && (key === undefined || row.pluginKey === key);
    const ends: Promise<void>[] = [];
    for (const { id } of agents.list()) {
      for (const { pluginKey } of agentPlugins.list(id).filter(isMeant)) ends.push(this.#end(id, pluginKey));
    }
    await Promise.allSettled(ends);
  }

  #end(agentId: string, key: string): Promise<void> {
    const { at, registry, signIns } = this.#options;
    return at(agentId, key, async () => {
      // It may have been installed again meanwhile, and the person signed in.
      if (!registry.get(key)) await signIns.end(agentId, key);
    });
  }
}
