import type { Agent, AgentInput, AgentPatch, PolicyRule } from "../../contract/index.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import { type AuditLog, agentNotFound } from "../store/index.ts";
import { sweepRemovedAgents } from "./commit.ts";

export interface AgentsOwnerOptions {
  agents: Pick<AgentStore, "get" | "list" | "create" | "update" | "revise" | "remove" | "wasRemoved">;
  agentPlugins: Pick<AgentPlugins, "removeAgent">;
  vault: Pick<Vault, "list" | "setAll" | "removeAll" | "removeAgent">;
  pool: Pick<PluginPool, "stopAgent">;
  audit: Pick<AuditLog, "record">;
  /** Ends what an agent is at: its turns and conversations. */
  deactivate(agentId: string): Promise<void>;
  /** Revokes the sign-ins of all plugins of an agent, as far as their providers can be reached. */
  revokeAll(agentId: string): Promise<void>;
  /** Runs a write when no other one of this agent is under way. */
  write(agentId: string, work: () => Promise<void>): Promise<void>;
}

/** The owner of what a person does to an agent: makes, changes and removes it, with what plugins have of it. */
export class AgentsOwner {
  readonly #options: AgentsOwnerOptions;
  /** An agent is not made while the secrets of one with its id are still being removed. */
  readonly #making = new SerialQueue();

  constructor(options: AgentsOwnerOptions) {
    this.#options = options;
  }

  /**
   * Makes an agent. It does not find secrets of an earlier one that had its id.
   *
   * @throws PatchbayError AGENT_EXISTS, BAD_INPUT, DISK_FULL, WRITE_FAILED
   */
  create(input: AgentInput): Promise<Agent> {
    return this.#making.run(async () => {
      const { agents, audit } = this.#options;
      await sweepRemovedAgents(this.#options);
      const agent = await agents.create(input);
      audit.record({ kind: "agent.created", agentId: agent.id });
      return agent;
    });
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, STALE_REVISION, BAD_INPUT, DISK_FULL, WRITE_FAILED */
  async update(agentId: string, patch: AgentPatch): Promise<Agent> {
    const agent = await this.#options.agents.update(agentId, patch);
    this.#options.audit.record({ kind: "agent.updated", agentId, fields: Object.keys(patch) });
    return agent;
  }

  /**
   * Changes the rules of an agent's policy by what they are when they are written.
   * @throws PatchbayError AGENT_NOT_FOUND, DISK_FULL, WRITE_FAILED
   */
  async changeRules(agentId: string, change: (rules: readonly PolicyRule[]) => PolicyRule[]): Promise<Agent> {
    const agent = await this.#options.agents.revise(agentId, ({ policy }) => ({ policy: change(policy) }));
    this.#options.audit.record({ kind: "agent.updated", agentId, fields: ["policy"] });
    return agent;
  }

  /**
   * Removes an agent with everything that plugins have of it. What is asked of providers comes first; the agent goes in
   * one step; its secrets follow, after a kill at the next start.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, VAULT_CLOSED when the vault's file cannot be read, SHUTTING_DOWN,
   * WRITE_FAILED; the agent is still there then
   */
  async forget(agentId: string): Promise<void> {
    const { agents, agentPlugins, vault, pool, audit, deactivate, revokeAll, write } = this.#options;
    if (!agents.get(agentId)) throw agentNotFound(agentId);
    // Removes nothing: it throws when it is not known which secrets the agent has.
    await vault.removeAll([], agentId);
    // What runs for the agent ends first, so that nothing writes into a folder that is about to go.
    await deactivate(agentId);
    await pool.stopAgent(agentId);
    await revokeAll(agentId);
    await this.#making.run(() =>
      write(agentId, async () => {
        await agentPlugins.removeAgent(agentId);
        await agents.remove(agentId);
        // What cannot be removed now is removed before the next agent is made, or at the next start.
        await vault.removeAgent(agentId).catch(() => {});
      }),
    );
    audit.record({ kind: "agent.removed", agentId });
  }
}
