import { PatchbayError } from "../../../contract/index.ts";
import type { PluginRegistry } from "../../registry/index.ts";
import type { BroughtServers } from "../../runtimes/mcp/import/brought-servers.ts";
import type { AgentPluginService } from "../agent-plugin-service.ts";

export interface BroughtSettingsNeeds {
  brought: Pick<BroughtServers, "isMine" | "of">;
  registry: Pick<PluginRegistry, "get">;
  owner: Pick<AgentPluginService, "configure">;
}

/** Gives an agent what a person had set for a server in another program. Its secrets go to the vault and are told to nobody. */
export class BroughtSettings {
  readonly #needs: BroughtSettingsNeeds;

  constructor(needs: BroughtSettingsNeeds) {
    this.#needs = needs;
  }

  /**
   * Switches the server on with its settings from there; what was not set there is left to the person.
   *
   * @param gives as in `AgentPluginService.configure`
   * @throws PatchbayError PLUGIN_NOT_FOUND, SOURCE_MISSING; BAD_INPUT when it was not brought from another program
   */
  async take(agentId: string, key: string, gives?: () => Promise<void>): Promise<void> {
    const { brought, registry, owner } = this.#needs;
    const plugin = registry.get(key);
    if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `The plugin ${key} is not installed any more.`);
    if (!brought.isMine(plugin.source.spec))
      throw new PatchbayError("BAD_INPUT", `${plugin.displayName} was not brought from another program.`);
    const { values } = await brought.of(plugin.source.spec);
    const properties = plugin.declaration.configSchema?.properties;
    const known = new Set(
      typeof properties === "object" && properties !== null ? Object.keys(properties) : [],
    );
    const config = {
      ...plugin.declaration.defaultConfig,
      ...Object.fromEntries([...values].filter(([name]) => known.has(name))),
    };
    const hasSettings = Object.keys(config).length > 0;
    await owner.configure(agentId, key, { enabled: true, ...(hasSettings && { config }) }, gives);
  }
}
