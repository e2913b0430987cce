import {
  type Agent,
  type AgentInput,
  type AgentPatch,
  PatchbayError,
  type PolicyRule,
} from "../../contract/index.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import type { PluginPool } from "../pool/plugin-pool.ts";
import type { AgentPlugins, AgentStore, RemovedRows } from "../registry/index.ts";
import type { Vault } from "../secrets/index.ts";
import { type AuditLog, agentNotFound } from "../store/index.ts";
import { sweepRemovedAgents } from "./commit.ts";

export interface AgentsOwnerOptions {
  agents: Pick<
    AgentStore,
    "get" | "list" | "create" | "update" | "revise" | "remove" | "restore" | "wasRemoved"
  >;
  agentPlugins: Pick<AgentPlugins, "list" | "removeAgent">;
  vault: Pick<Vault, "list" | "setAll" | "removeAll" | "removeAgent">;
  pool: Pick<PluginPool, "stopAgent">;
  audit: Pick<AuditLog, "record">;
  /** Keeps an agent that is removed, with its secrets, for a while. Absent: its secrets go with it. */
  removed?: Pick<RemovedRows, "keepAgent" | "hasAgent" | "whole" | "drop"> | undefined;
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
   * Makes an agent. It does not find secrets of an earlier one that had its id; while that one is kept, its id is taken.
   *
   * @throws PatchbayError AGENT_EXISTS, BAD_INPUT, DISK_FULL, WRITE_FAILED
   */
  create(input: AgentInput): Promise<Agent> {
    return this.#making.run(async () => {
      const { agents, audit, removed } = this.#options;
      if (input.id !== undefined && removed?.hasAgent(input.id)) throw stillKept(input.id);
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
   * one step. It is kept with its secrets, where removed things are kept; else its secrets follow, after a kill at the
   * next start.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, VAULT_CLOSED when the vault's file cannot be read, or nothing can be signed,
   * SHUTTING_DOWN, WRITE_FAILED; the agent is still there then
   */
  async forget(agentId: string): Promise<void> {
    const { agents, agentPlugins, vault, pool, audit, removed, deactivate, revokeAll, write } = this.#options;
    const agent = agents.get(agentId);
    if (!agent) throw agentNotFound(agentId);
    // Removes nothing: it throws when it is not known which secrets the agent has.
    await vault.removeAll([], agentId);
    const kept = await removed?.keepAgent(agent, agentPlugins.list(agentId).length);
    try {
      // What runs for the agent ends first, so that nothing writes into a folder that is about to go.
      await deactivate(agentId);
      await pool.stopAgent(agentId);
      await revokeAll(agentId);
      await this.#making.run(() =>
        write(agentId, async () => {
          await agentPlugins.removeAgent(agentId);
          await agents.remove(agentId, kept?.room);
          // What cannot be removed now is removed before the next agent is made, or at the next start.
          if (!kept) await vault.removeAgent(agentId).catch(() => {});
        }),
      );
    } catch (error) {
      if (kept && agents.get(agentId)) await removed?.drop(kept.id);
      throw error;
    }
    audit.record({ kind: "agent.removed", agentId });
  }

  /**
   * Brings back an agent that is kept under this name. Its plugins do not start by that.
   * @throws PatchbayError AGENT_EXISTS, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  async restore(agent: Agent, room: string): Promise<void> {
    const { agents, agentPlugins } = this.#options;
    await this.#making.run(async () => {
      // What was opened while its folder was away is empty.
      if (!agents.get(agent.id)) await agentPlugins.removeAgent(agent.id);
      await agents.restore(agent, room);
    });
    this.#options.audit.record({ kind: "agent.restored", agentId: agent.id });
  }
}

function stillKept(id: string): PatchbayError {
  return new PatchbayError(
    "AGENT_EXISTS",
    `An agent with the id "${id}" was removed and is kept under Removed.`,
    {
      help: "Restore it, delete it for good, or choose another id.",
    },
  );
}
