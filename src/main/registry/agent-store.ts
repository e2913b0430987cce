import { EventEmitter } from "node:events";
import { isAbsolute } from "node:path";
import {
  type Agent,
  type AgentInput,
  type AgentPatch,
  agentSchema,
  PatchbayError,
} from "../../contract/index.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { agentNotFound, type Collection, type Rows, type Storage } from "../store/index.ts";
import type { RowGuard } from "./plugin-registry.ts";

const collection: Collection<Agent> = {
  name: "agents",
  schema: agentSchema,
  version: 1,
  whenLost: "refuse",
};

type AgentStorage = Pick<Storage, "rows" | "agents" | "removed" | "places">;

export interface AgentStoreOptions {
  storage: AgentStorage;
  /** Signs the rows, and hears of those that somebody else changed. */
  guard?: RowGuard;
}

/** The agents, a row each. Reads are from memory; each write resolves when it is on disk. */
export class AgentStore {
  readonly changes = new EventEmitter<{ agent: [agent: Agent]; removed: [agentId: string] }>();
  readonly #storage: AgentStorage;
  readonly #rows: Rows<Agent>;
  /** Agents are made and removed one after the other, so that two made at once do not get the same id. */
  readonly #making = new SerialQueue();

  /** An agent that cannot be read is left out and reported; the others are there. */
  constructor({ storage, guard }: AgentStoreOptions) {
    this.#storage = storage;
    this.#rows = storage.rows({ ...collection, ...(guard && { guard: { ...guard, volatile: [] } }) });
  }

  /** True while it cannot be said whether the rows are genuine. What a policy allows does not hold then. */
  get unproven(): boolean {
    return this.#rows.unproven;
  }

  /** Judges the rows again, as `Rows.review` does. */
  review(adopt: boolean): void {
    for (const id of this.#rows.review(adopt)) {
      const agent = this.get(id);
      if (agent) this.changes.emit("agent", agent);
    }
  }

  /** Puts a row in the place of the present one, or of one that was left out. Throws as `update`. */
  async putBack(agent: Agent): Promise<void> {
    await this.#rows.change(agent.id, () => agent);
    this.changes.emit("agent", agent);
  }

  /** All agents, sorted by id. */
  list(): Agent[] {
    const agents = [...this.#rows.all().values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.unproven ? agents.map(withoutLeave) : agents;
  }

  get(id: string): Agent | undefined {
    const agent = this.#rows.get(id);
    return agent && this.unproven ? withoutLeave(agent) : agent;
  }

  /** Whether there was an agent with this id that was removed, and there is none now, not even one that cannot be read. */
  wasRemoved(id: string): boolean {
    return this.#isFree(id) && this.#storage.agents.wasSetAside(id);
  }

  /**
   * Makes an agent and its workspace folder. Without an id one is made from the name.
   *
   * @throws PatchbayError AGENT_EXISTS, BAD_INPUT for a workspace that is not an absolute path, DISK_FULL, WRITE_FAILED
   */
  create(input: AgentInput): Promise<Agent> {
    return this.#making.run(() => this.#create(input));
  }

  async #create(input: AgentInput): Promise<Agent> {
    const id = input.id ?? this.#freeId(input.name);
    if (!this.#isFree(id)) throw exists(id);
    const now = new Date().toISOString();
    const agent: Agent = {
      id,
      name: input.name,
      instructions: input.instructions,
      model: input.model,
      workspace: input.workspace ?? this.#storage.places.workspace(id),
      policy: input.policy,
      maxSteps: input.maxSteps,
      ...(input.thinking && { thinking: input.thinking }),
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    refuseRelative(agent.workspace);
    await this.#storage.agents.make(id);
    await this.#storage.agents.makeWorkspace(agent.workspace);
    await this.#rows.change(id, () => agent);
    this.changes.emit("agent", agent);
    return agent;
  }

  /**
   * @throws PatchbayError AGENT_NOT_FOUND, STALE_REVISION with `details: {yours, current}`, BAD_INPUT,
   * DISK_FULL, WRITE_FAILED
   */
  async update(id: string, patch: AgentPatch): Promise<Agent> {
    const compute = (current: Agent | undefined) => {
      if (!current) throw agentNotFound(id);
      return changed(current, patch);
    };
    // Computed once before, so that a change that is refused makes no folder.
    if (patch.workspace !== undefined)
      await this.#storage.agents.makeWorkspace(compute(this.get(id)).workspace);
    const agent = await this.#rows.change(id, compute);
    if (!agent) throw agentNotFound(id);
    this.changes.emit("agent", agent);
    return agent;
  }

  /**
   * Changes an agent by what it is when its turn to be written comes, so that two changes at once both stand. The workspace
   * is not changed so.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, DISK_FULL, WRITE_FAILED
   */
  async revise(
    id: string,
    change: (current: Agent) => Omit<AgentPatch, "revision" | "workspace">,
  ): Promise<Agent> {
    const agent = await this.#rows.change(id, (current) => {
      if (!current) throw agentNotFound(id);
      return changed(current, change(this.unproven ? withoutLeave(current) : current));
    });
    if (!agent) throw agentNotFound(id);
    this.changes.emit("agent", agent);
    return agent;
  }

  /**
   * Removes an agent. Its folder, with its conversations and the default workspace, is moved aside and not deleted. Call
   * `AgentPlugins.removeAgent` first.
   *
   * @param room the name under which it is kept
   * @throws PatchbayError AGENT_NOT_FOUND, WRITE_FAILED
   */
  remove(id: string, room = this.#storage.removed.nameFor({ agentId: id }, Date.now())): Promise<void> {
    return this.#making.run(async () => {
      if (!this.#rows.get(id)) throw agentNotFound(id);
      await this.#storage.removed.take(room, { agentId: id });
      await this.#rows.change(id, () => undefined);
      this.changes.emit("removed", id);
    });
  }

  /**
   * Brings an agent back that is kept under this name. May be done again when it was cut short.
   * @throws PatchbayError AGENT_EXISTS, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  restore(agent: Agent, room: string): Promise<void> {
    return this.#making.run(async () => {
      if (this.#rows.get(agent.id)) throw exists(agent.id);
      await this.#storage.removed.putBack(room, { agentId: agent.id });
      await this.putBack(agent);
    });
  }

  async close(): Promise<void> {
    await this.#making.idle();
    await this.#rows.close();
    this.changes.removeAllListeners();
  }

  #isFree(id: string): boolean {
    return !this.#rows.get(id) && !this.#storage.agents.has(id);
  }

  #freeId(name: string): string {
    const base = idFromName(name);
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? base : `${base.slice(0, 58)}-${number}`;
      // One that was removed may be wanted back under its id.
      if (this.#isFree(id) && !this.#storage.agents.wasSetAside(id)) return id;
    }
  }
}

/**
 * The agent with those rules of its policy alone that forbid something, with commands that ask for each host, and without
 * services that get people's recordings: nobody knows who wrote the others.
 */
function withoutLeave(agent: Agent): Agent {
  const { voice: _recordings, ...kept } = agent;
  const { refused = [], reach } = agent.shellNetwork ?? {};
  return {
    ...kept,
    policy: agent.policy.filter(({ effect }) => effect === "deny"),
    shellNetwork: { reach: reach === "none" ? "none" : "hosts", hosts: [], refused },
  };
}

function changed(current: Agent, patch: AgentPatch): Agent {
  const { revision, ...wanted } = patch;
  if (revision !== undefined && revision !== current.revision) {
    throw new PatchbayError(
      "STALE_REVISION",
      `The agent ${current.name} was saved by somebody else in the meantime.`,
      { details: { yours: patch, current } },
    );
  }
  if (wanted.workspace !== undefined) refuseRelative(wanted.workspace);
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  return { ...current, ...given, revision: current.revision + 1, updatedAt: new Date().toISOString() };
}

function exists(id: string): PatchbayError {
  return new PatchbayError("AGENT_EXISTS", `There is already an agent "${id}".`);
}

function idFromName(name: string): string {
  const id = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 64)
    .replace(/^-+|-+$/g, "");
  return id || "agent";
}

function refuseRelative(path: string): void {
  if (!isAbsolute(path)) {
    throw new PatchbayError("BAD_INPUT", `The workspace must be a whole path, but "${path}" is not.`);
  }
}
