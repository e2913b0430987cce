import { EventEmitter } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import {
  type Agent,
  type AgentInput,
  type AgentPatch,
  agentIdSchema,
  agentSchema,
  PatchbayError,
  type Problem,
  toProblem,
} from "../../contract/index.ts";
import { agentFolder, agentNotFound, agentsFolder } from "../store/agent-folder.ts";
import {
  ensurePrivateFolder,
  openStateFile,
  type StateFile,
  systemCode,
  writeError,
} from "../store/index.ts";

export interface AgentStoreOptions {
  home: string;
  onNotice(problem: Problem): void;
}

/** The agents: `agents/<id>/agent.json`. */
export class AgentStore {
  readonly changes = new EventEmitter<{ agent: [agent: Agent]; removed: [agentId: string] }>();
  readonly #options: AgentStoreOptions;
  readonly #files = new Map<string, StateFile<Agent>>();

  /** An agent whose file cannot be opened is left out and reported; the others are there. */
  constructor(options: AgentStoreOptions) {
    this.#options = options;
    for (const id of folderNames(agentsFolder(options.home))) this.#load(id);
  }

  /** In the order of the ids. */
  list(): Agent[] {
    return [...this.#files.values()].map((file) => file.get()).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): Agent | undefined {
    return this.#files.get(id)?.get();
  }

  /**
   * Makes an agent and its workspace folder. Without an id one is made from the name.
   *
   * @throws PatchbayError AGENT_EXISTS, BAD_INPUT for a workspace that is not an absolute path, DISK_FULL, WRITE_FAILED
   */
  async create(input: AgentInput): Promise<Agent> {
    const id = input.id ?? this.#freeId(input.name);
    const folder = agentFolder(this.#options.home, id);
    if (this.#files.has(id) || existsSync(folder)) {
      throw new PatchbayError("AGENT_EXISTS", `There is already an agent "${id}".`);
    }
    const now = new Date().toISOString();
    const agent: Agent = {
      id,
      name: input.name,
      instructions: input.instructions,
      model: input.model,
      workspace: input.workspace ?? join(folder, "workspace"),
      policy: input.policy,
      maxSteps: input.maxSteps,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    ensurePrivateFolder(folder);
    makeWorkspace(agent.workspace);
    const file = this.#open(id, () => agent);
    file.update((current) => ({ ...current }));
    this.#files.set(id, file);
    this.changes.emit("agent", agent);
    return agent;
  }

  /** @throws PatchbayError AGENT_NOT_FOUND, STALE_REVISION with `details: {yours, current}`, BAD_INPUT, DISK_FULL, WRITE_FAILED */
  async update(id: string, patch: AgentPatch): Promise<Agent> {
    const file = this.#files.get(id);
    if (!file) throw agentNotFound(id);
    const current = file.get();
    const { revision, ...wanted } = patch;
    if (revision !== undefined && revision !== current.revision) {
      throw new PatchbayError(
        "STALE_REVISION",
        `The agent ${current.name} was saved by somebody else in the meantime.`,
        { details: { yours: patch, current } },
      );
    }
    if (wanted.workspace !== undefined) makeWorkspace(wanted.workspace);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const agent = file.update(() => ({
      ...current,
      ...given,
      revision: current.revision + 1,
      updatedAt: new Date().toISOString(),
    }));
    this.changes.emit("agent", agent);
    return agent;
  }

  /**
   * Removes an agent. Its folder, with conversations and the default workspace, is moved to `<home>/removed/`, so that
   * a mistake can be undone by hand. Call `AgentPlugins.removeAgent` first.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, WRITE_FAILED
   */
  async remove(id: string): Promise<void> {
    const file = this.#files.get(id);
    if (!file) throw agentNotFound(id);
    const removed = join(this.#options.home, "removed");
    const stamp = new Date().toISOString().replace(/[:.]/g, "-");
    ensurePrivateFolder(removed);
    const folder = agentFolder(this.#options.home, id);
    try {
      renameSync(folder, join(removed, `${id}-${stamp}`));
    } catch (error) {
      throw writeError(error, folder);
    }
    file.discard();
    this.#files.delete(id);
    this.changes.emit("removed", id);
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
    this.changes.removeAllListeners();
  }

  #load(id: string): void {
    if (!agentIdSchema.safeParse(id).success) return;
    let missing = false;
    try {
      const file = this.#open(id, () => {
        missing = true;
        throw agentNotFound(id);
      });
      this.#files.set(id, file);
    } catch (error) {
      if (!missing) this.#options.onNotice(toProblem(error));
    }
  }

  #open(id: string, initial: () => Agent): StateFile<Agent> {
    return openStateFile<Agent>({
      path: join(agentFolder(this.#options.home, id), "agent.json"),
      schema: agentSchema,
      version: 1,
      initial,
      onNotice: this.#options.onNotice,
      whenLost: "refuse",
    });
  }

  #freeId(name: string): string {
    const base = idFromName(name);
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? base : `${base.slice(0, 58)}-${number}`;
      if (!this.#files.has(id) && !existsSync(agentFolder(this.#options.home, id))) return id;
    }
  }
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

function makeWorkspace(path: string): void {
  if (!isAbsolute(path)) {
    throw new PatchbayError("BAD_INPUT", `The workspace must be a whole path, but "${path}" is not.`);
  }
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeError(error, path);
  }
}

function folderNames(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
