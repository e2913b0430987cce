import type { AgentPluginService } from "../agent-plugins/agent-plugin-service.ts";
import type { AgentStore, RemovedOf } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import type { Storage } from "../store/index.ts";
import type { Described, RemovedKeeper } from "./kinds.ts";

export interface RemovedAgentsOptions {
  storage: Pick<Storage, "removed" | "agents">;
  agents: Pick<AgentStore, "get">;
  vault: Pick<Vault, "list" | "removeAgent" | "removeAll">;
  owner: Pick<AgentPluginService, "agents" | "settleAgent">;
}

type What = RemovedOf<"agent">;

/** Removed agents: their folders, and their own secrets in the vault. */
export class RemovedAgents implements RemovedKeeper<"agent"> {
  readonly #options: RemovedAgentsOptions;

  constructor(options: RemovedAgentsOptions) {
    this.#options = options;
  }

  describe({ agent, plugins }: What): Described {
    const { storage, vault } = this.#options;
    return {
      name: agent.name,
      agentId: agent.id,
      plugins,
      secrets: vault.list().filter(({ agentId }) => agentId === agent.id).length,
      blocked: storage.agents.has(agent.id) ? "taken" : null,
    };
  }

  async size({ room }: What): Promise<{ bytes: number; conversations: number } | null> {
    const { removed } = this.#options.storage;
    if (!removed.has(room)) return null;
    return { bytes: await removed.bytes(room), conversations: await removed.sessions(room) };
  }

  async restore({ agent, room }: What): Promise<null> {
    const { storage, agents, owner } = this.#options;
    // It came back just before the app ended.
    const isBack = agents.get(agent.id) !== undefined && !storage.removed.has(room);
    if (!isBack) await owner.agents.restore(agent, room);
    return null;
  }

  restored({ agent }: What): void {
    // What does not start says so on its own card.
    void this.#options.owner.settleAgent(agent.id).catch(() => {});
  }

  /** First its secrets: as long as its folder is there, it is known whose they were. */
  async delete({ agent, room }: What): Promise<void> {
    const { storage, agents, vault } = this.#options;
    if (agents.get(agent.id) === undefined) {
      // Throws when it is not known which secrets it has.
      await vault.removeAll([], agent.id);
      await vault.removeAgent(agent.id);
      // A restoration that failed may have left it at its old place.
      if (!storage.removed.has(room) && storage.agents.has(agent.id)) {
        await storage.removed.take(room, { agentId: agent.id });
      }
    }
    await storage.removed.delete(room);
  }

  async settle({ agent, room }: What): Promise<boolean> {
    const { storage, agents } = this.#options;
    return agents.get(agent.id) === undefined || storage.removed.has(room);
  }
}
