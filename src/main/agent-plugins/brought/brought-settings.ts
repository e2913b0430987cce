import {
  isObject,
  mostOffered,
  PatchbayError,
  type Plugin,
  type ToolSwitches,
  toProblem,
} from "../../../contract/index.ts";
import type { AgentPlugins, PluginRegistry } from "../../registry/index.ts";
import { detailsOf } from "../../runtimes/mcp/details.ts";
import type { Brought } from "../../runtimes/mcp/import/become/brought.ts";
import type { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";
import { toolNames } from "../../runtimes/mcp/offer/tool-names.ts";
import type { ServerFile } from "../../runtimes/mcp/server/server-file.ts";
import type { AgentPluginService } from "../agent-plugin-service.ts";
import type { PastedValues } from "./pasted-values.ts";

export interface BroughtSettingsNeeds {
  brought: Pick<BroughtServers, "isMine" | "of">;
  registry: Pick<PluginRegistry, "get">;
  agentPlugins: Pick<AgentPlugins, "get">;
  owner: Pick<AgentPluginService, "configure" | "permissions">;
  pasted: Pick<PastedValues, "of" | "forget">;
}

/** Gives an agent what a person had set for a server in another program. Its secrets go to the vault and are told to nobody. */
export class BroughtSettings {
  readonly #needs: BroughtSettingsNeeds;

  constructor(needs: BroughtSettingsNeeds) {
    this.#needs = needs;
  }

  /**
   * Switches the server on with its settings from there, and of its tools those that are used there. What was not set there stays as the
   * agent has it, or is left to the person.
   *
   * @param gives as in `AgentPluginService.configure`
   * @throws PatchbayError PLUGIN_NOT_FOUND, SOURCE_MISSING; BAD_INPUT when it was not brought from another program
   */
  async take(agentId: string, key: string, gives?: () => Promise<void>): Promise<void> {
    const { brought, registry, agentPlugins, owner, pasted } = this.#needs;
    const plugin = registry.get(key);
    if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
    if (!brought.isMine(plugin.source.spec))
      throw new PatchbayError("BAD_INPUT", `${plugin.displayName} was not brought from another program.`);
    const { values, file } = await this.#setThere(plugin);
    const properties = plugin.declaration.configSchema?.properties;
    const known = new Set(isObject(properties) ? Object.keys(properties) : []);
    const onlyKnown = (entries: Iterable<[string, unknown]>) =>
      Object.fromEntries([...entries].filter(([name]) => known.has(name)));
    const config = {
      ...plugin.declaration.defaultConfig,
      ...onlyKnown(Object.entries(agentPlugins.get(agentId, key)?.config ?? {})),
      ...onlyKnown(values),
    };
    const switches = switchesOf(file, plugin.capabilities.tools?.namespace ?? key);
    if (switches) await owner.permissions.switchTools(agentId, key, switches);
    const hasSettings = Object.keys(config).length > 0;
    await owner.configure(agentId, key, { enabled: true, ...(hasSettings && { config }) }, gives);
    // With a closed vault it stays there until the server is uninstalled.
    await pasted.forget(plugin).catch(() => {});
  }

  /**
   * The same for a server that is switched on for an agent that never had it. False: it is none, or what was set for it is gone; nothing
   * was done then. Throws as `take` does.
   */
  async takeFirst(agentId: string, key: string, gives?: () => Promise<void>): Promise<boolean> {
    const { brought, registry, agentPlugins } = this.#needs;
    const plugin = registry.get(key);
    if (!plugin || !brought.isMine(plugin.source.spec) || agentPlugins.get(agentId, key)) return false;
    try {
      await this.take(agentId, key, gives);
      return true;
    } catch (error) {
      if (toProblem(error).code === "SOURCE_MISSING") return false;
      throw error;
    }
  }

  /** What was set in the other program, or pasted. */
  async #setThere(plugin: Plugin): Promise<Pick<Brought, "values" | "file">> {
    const { brought, pasted } = this.#needs;
    try {
      return await brought.of(plugin.source.spec);
    } catch (error) {
      const values = toProblem(error).code === "SOURCE_MISSING" ? pasted.of(plugin) : undefined;
      if (!values) throw error;
      return { values, file: detailsOf(plugin.declaration).file };
    }
  }
}

/** Which tools are used there, by their names here; null: all. */
function switchesOf({ switches }: ServerFile, namespace: string): ToolSwitches | null {
  const named = (names: readonly string[], on: boolean) =>
    [...toolNames(namespace, names).values()].map((name) => [name.slice(0, 128), on] as const);
  if (!switches) return null;
  const { only, off = [] } = switches;
  const shown = (only ?? []).filter((name) => !off.includes(name)).slice(0, mostOffered);
  return {
    tools: Object.fromEntries([...named(shown, true), ...named(off, false)]),
    others: only === undefined,
  };
}
