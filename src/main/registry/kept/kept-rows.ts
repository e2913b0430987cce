import {
  agentPluginRowSchema,
  agentSchema,
  PatchbayError,
  type Problem,
  pluginSchema,
  type SetAside,
  toProblem,
} from "../../../contract/index.ts";
import type { AuditLog } from "../../store/index.ts";
import type { AgentPlugins } from "../agent-plugins.ts";
import type { AgentStore } from "../agent-store.ts";
import type { PluginRegistry } from "../plugin-registry.ts";
import type { RemovedRows } from "./removed-rows.ts";
import type { SetAsideRows } from "./set-aside.ts";

export interface KeptRowsOptions {
  registry: PluginRegistry;
  agents: AgentStore;
  agentPlugins: AgentPlugins;
  setAside: SetAsideRows;
  removed: Pick<RemovedRows, "review">;
  audit: Pick<AuditLog, "record">;
}

/** The rows that say what plugins and agents may do, as a whole: whether they are genuine, and what is done when not. */
export class KeptRows {
  readonly #options: KeptRowsOptions;

  constructor(options: KeptRowsOptions) {
    this.#options = options;
  }

  /**
   * Why no plugin of an agent may run for now: it cannot be said whether its rows are genuine. Null when it can. One that is
   * started for no agent has no rows of its own.
   */
  doubt(agentId: string): Problem | null {
    const { registry, agents, agentPlugins } = this.#options;
    const rows = () => agents.get(agentId) !== undefined && agentPlugins.unproven(agentId);
    const unproven = registry.unproven || agents.unproven || rows();
    return unproven ? doubt : null;
  }

  /** Reads the rows of all agents, so that each is signed or judged. */
  readAll(): void {
    const { agents, agentPlugins } = this.#options;
    for (const { id } of agents.list()) agentPlugins.list(id);
  }

  /** Judges all rows again, now that the key is there. `adopt`: takes them as they are, and signs them. */
  review(adopt: boolean): void {
    const { registry, agents, agentPlugins, setAside, removed } = this.#options;
    setAside.review(adopt);
    removed.review(adopt);
    registry.review(adopt);
    agents.review(adopt);
    agentPlugins.review(adopt);
    // Plugins waited for this: they look again at what is wanted.
    for (const agent of agents.list()) agents.changes.emit("agent", agent);
  }

  /** Switches the plugins off, for every agent, whose installed row was set aside. They stay off until somebody looks. */
  async switchOff(): Promise<void> {
    const { agents, agentPlugins, setAside } = this.#options;
    const keys = setAside
      .list()
      .flatMap(({ collection, rowId }) => (collection === "plugins" ? [rowId] : []));
    for (const { id } of keys.length > 0 ? agents.list() : []) {
      for (const key of keys) {
        if (agentPlugins.get(id, key)?.enabled) await agentPlugins.set(id, key, { enabled: false });
      }
    }
  }

  /**
   * Uses what was set aside, because the person says so: it was their own change.
   * @throws PatchbayError NOT_FOUND, BAD_INPUT when it cannot be used, VAULT_CLOSED, DISK_FULL, WRITE_FAILED
   */
  async accept(id: string): Promise<void> {
    const { setAside, audit } = this.#options;
    const found = setAside.get(id);
    if (found.value === null) {
      throw new PatchbayError("BAD_INPUT", "It was removed, so there is nothing to use.", {
        help: "Uninstall or forget the plugin if you want it gone, and dismiss this.",
      });
    }
    try {
      await this.#put(found);
    } catch (error) {
      if (error instanceof PatchbayError) throw error;
      throw new PatchbayError("BAD_INPUT", "What was found is no whole row, so it cannot be used.", {
        details: { reason: toProblem(error).message },
      });
    }
    await setAside.remove(id);
    audit.record({ kind: "state.accepted", ...wordsFor(found) });
  }

  /** Keeps what is in use, and forgets what was found. @throws PatchbayError NOT_FOUND */
  async dismiss(id: string): Promise<void> {
    const { setAside, audit } = this.#options;
    const found = setAside.get(id);
    await setAside.remove(id);
    audit.record({ kind: "state.dismissed", ...wordsFor(found) });
  }

  async #put({ collection, agentId, rowId, value }: SetAside): Promise<void> {
    const { registry, agents, agentPlugins } = this.#options;
    switch (collection) {
      case "plugins":
        return registry.put(pluginSchema.parse(value));
      case "agents":
        return agents.putBack(agentSchema.parse(value));
      case "agent-plugins":
        return agentPlugins.amend(agentId ?? "", rowId, () => agentPluginRowSchema.parse(value));
    }
  }
}

const doubt: Problem = new PatchbayError(
  "VAULT_CLOSED",
  "While the stored secrets are closed, it cannot be checked that nobody else changed what this plugin may do.",
  { help: "Open the stored secrets; the plugin then starts by itself." },
).toProblem();

function wordsFor({ collection, agentId, rowId }: SetAside) {
  return {
    ...(agentId !== null && { agentId }),
    ...(collection !== "agents" && { pluginKey: rowId }),
    what: collection,
  };
}
