import type { Job, Plugin } from "../../contract/index.ts";
import type { AgentPluginService } from "../agent-plugins/agent-plugin-service.ts";
import { namesOfRow } from "../agent-plugins/names.ts";
import { foldersOf, type InstallJobs } from "../catalog/index.ts";
import { isAnotherPackage, isOfAnother } from "../registry/another-package.ts";
import type { AgentPlugins, AgentStore, PluginRegistry, RemovedOf } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import type { Storage } from "../store/index.ts";
import type { Described, RemovedKeeper } from "./kinds.ts";

export interface RemovedPluginsOptions {
  registry: Pick<PluginRegistry, "get">;
  agents: Pick<AgentStore, "list">;
  agentPlugins: Pick<AgentPlugins, "get">;
  vault: Pick<Vault, "list">;
  owner: Pick<AgentPluginService, "forget" | "agents">;
  jobs: Pick<InstallJobs, "restore" | "discard">;
  storage: Pick<Storage, "removed">;
}

type What = RemovedOf<"plugin">;

/** Uninstalled plugins: their files, and what agents keep of them. */
export class UninstalledPlugins implements RemovedKeeper<"plugin"> {
  readonly #options: RemovedPluginsOptions;

  constructor(options: RemovedPluginsOptions) {
    this.#options = options;
  }

  describe({ plugin }: What): Described {
    const { registry, vault } = this.#options;
    const rows = this.#rowsOf(plugin);
    const names = new Set(rows.flatMap(({ id, row }) => namesOfRow(row).map((name) => `${id}/${name}`)));
    return {
      name: plugin.displayName,
      key: plugin.manifestKey,
      version: plugin.packageVersion,
      icon: plugin.declaration.icon ?? null,
      ours: plugin.source.kind === "builtin",
      settingsOf: rows
        .filter(({ row }) => row.enabled || Object.keys(row.config).length > 0)
        .map(({ id }) => id),
      secrets: vault.list().filter(({ agentId, name }) => agentId !== null && names.has(`${agentId}/${name}`))
        .length,
      blocked: registry.get(plugin.manifestKey) ? "taken" : null,
    };
  }

  async size({ plugin }: What): Promise<{ bytes: number; conversations: number }> {
    let bytes = 0;
    for (const folder of foldersOf([plugin])) bytes += await this.#options.storage.removed.bytesBelow(folder);
    return { bytes, conversations: 0 };
  }

  restore({ plugin }: What): Promise<Job | null> {
    return this.#options.jobs.restore(plugin);
  }

  /** Its files go, and where no other package has its key, what agents keep of it and the rules that allow its tools. */
  async delete({ plugin }: What): Promise<void> {
    const { registry, owner, jobs } = this.#options;
    if (!registry.get(plugin.manifestKey)) {
      for (const { id } of this.#rowsOf(plugin)) {
        await this.#dropRules(id, plugin);
        await owner.forget(id, plugin.manifestKey);
      }
    }
    await jobs.discard(plugin);
  }

  /** Once the same package is installed again, it has the settings, and the older files are not needed. */
  async settle({ plugin }: What): Promise<boolean> {
    const present = this.#options.registry.get(plugin.manifestKey);
    if (!present || isAnotherPackage(present, plugin)) return true;
    await this.#options.jobs.discard(plugin);
    return false;
  }

  /** The agents that keep something of it, and not of another package that had its key. */
  #rowsOf(plugin: Plugin) {
    const { agents, agentPlugins } = this.#options;
    return agents.list().flatMap(({ id }) => {
      const row = agentPlugins.get(id, plugin.manifestKey);
      return row?.gone && !isOfAnother(row, plugin) ? [{ id, row }] : [];
    });
  }

  async #dropRules(agentId: string, plugin: Plugin): Promise<void> {
    const namespace = plugin.capabilities.tools?.namespace;
    const agent = this.#options.agents.list().find(({ id }) => id === agentId);
    const isAllowed = ({ tool, effect }: { tool: string; effect: string }) =>
      effect === "allow" && namespace !== undefined && tool.startsWith(`${namespace}__`);
    if (!agent?.policy.some(isAllowed)) return;
    await this.#options.owner.agents.changeRules(agentId, (rules) =>
      rules.filter((rule) => !isAllowed(rule)),
    );
  }
}
