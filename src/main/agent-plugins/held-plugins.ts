import type { Holds as HoldsView, PluginSearch } from "../../contract/index.ts";
import type { Holds } from "../holds/holds.ts";
import type { AgentStore } from "../registry/index.ts";
import { type AuditLog, agentNotFound } from "../store/index.ts";
import type { AgentPluginService } from "./agent-plugin-service.ts";

export interface HeldPluginsOptions {
  holds: Holds;
  agents: Pick<AgentStore, "get" | "list">;
  owner: Pick<AgentPluginService, "settleAgent">;
  audit: Pick<AuditLog, "record">;
}

/**
 * What a person does with safe mode and with the search for a problem. Each act resolves when the plugins that it
 * concerns have been started or stopped, or could not start.
 */
export class HeldPlugins {
  readonly #options: HeldPluginsOptions;

  constructor(options: HeldPluginsOptions) {
    this.#options = options;
  }

  async enterSafeMode(): Promise<HoldsView> {
    await this.#options.holds.enterSafeMode("asked");
    return this.#settleAll("safe_mode.entered");
  }

  async leaveSafeMode(): Promise<HoldsView> {
    await this.#options.holds.leaveSafeMode();
    return this.#settleAll("safe_mode.left");
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, SEARCH_NOT_POSSIBLE */
  async beginSearch(agentId: string): Promise<PluginSearch> {
    const { holds, agents, audit, owner } = this.#options;
    if (!agents.get(agentId)) throw agentNotFound(agentId);
    const search = await holds.begin(agentId);
    audit.record({ kind: "search.begun", agentId });
    await owner.settleAgent(agentId);
    return search;
  }

  /** @throws PatchbayError SEARCH_NOT_POSSIBLE when that question is not open */
  async answerSearch(agentId: string, step: number, stillThere: boolean): Promise<PluginSearch> {
    const search = await this.#options.holds.answer(agentId, step, stillThere);
    await this.#options.owner.settleAgent(agentId);
    return search;
  }

  async endSearch(agentId: string): Promise<void> {
    const { holds, audit, owner } = this.#options;
    await holds.end(agentId);
    audit.record({ kind: "search.ended", agentId });
    await owner.settleAgent(agentId);
  }

  async #settleAll(kind: "safe_mode.entered" | "safe_mode.left"): Promise<HoldsView> {
    const { holds, agents, audit, owner } = this.#options;
    audit.record({ kind });
    await Promise.all(agents.list().map(({ id }) => owner.settleAgent(id)));
    return holds.get();
  }
}
