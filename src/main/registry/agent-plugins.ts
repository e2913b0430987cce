import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import {
  type AgentPluginRow,
  type GonePlugin,
  PatchbayError,
  type Problem,
  pluginKeySchema,
  type RuntimeState,
  toProblem,
} from "../../contract/index.ts";
import { agentNotFound, type Rows, type Storage } from "../store/index.ts";
import {
  type AgentPluginPatch,
  changed,
  collection,
  defined,
  newRow,
  type PendingNames,
  type StoredRow,
} from "./agent-plugin-row.ts";
import type { RowGuard } from "./plugin-registry.ts";
import { StoredValues } from "./plugin-storage.ts";

const nonePending: Readonly<PendingNames> = { written: [], outdated: [] };

export interface AgentPluginsOptions {
  storage: Storage;
  onNotice(problem: Problem): void;
  /** Turns a stored row of version 1 into today's form, in which each plugin system has its own settings. */
  upgrade?(old: unknown): unknown;
  /** Signs the rows, and hears of those that somebody else changed. */
  guard?: RowGuard;
}

/** What a running instance changes in its row. That is no edit by a person, so the revision stays. */
export interface AgentPluginReport {
  runtimeState?: RuntimeState | null;
  lastError?: Problem | null;
  /** Notes of a setup that is under way or done; never contains a secret. */
  setupState?: Record<string, unknown> | null;
}

/** The rows for (agent, plugin). The rows of an agent are read when they are first needed. */
export class AgentPlugins {
  readonly changes = new EventEmitter<{
    row: [agentId: string, key: string];
    forgotten: [agentId: string, key: string];
  }>();
  readonly #options: AgentPluginsOptions;
  readonly #agents = new Map<string, OpenAgent>();
  readonly #unreadable = new Set<string>();
  #closed = false;

  constructor(options: AgentPluginsOptions) {
    this.#options = options;
  }

  /**
   * The agent's rows in the order in which they were made. Empty when its file cannot be read; a notice says so once.
   */
  list(agentId: string): AgentPluginRow[] {
    return [...(this.#readable(agentId)?.rows.all().values() ?? [])];
  }

  get(agentId: string, key: string): AgentPluginRow | undefined {
    return this.#readable(agentId)?.rows.get(key);
  }

  /**
   * Applies a person's change; makes the row when there is none. The row is on disk when the promise resolves.
   *
   * @throws PatchbayError STALE_REVISION with `details: {yours, current}`, AGENT_NOT_FOUND, BAD_INPUT for an impossible
   * key, DISK_FULL, WRITE_FAILED
   */
  async set(agentId: string, key: string, patch: AgentPluginPatch): Promise<AgentPluginRow> {
    this.#refuseWhenGone(agentId);
    if (!pluginKeySchema.safeParse(key).success) {
      throw new PatchbayError("BAD_INPUT", `"${key}" cannot be the key of a plugin.`);
    }
    let before: StoredRow | undefined;
    const after = await this.#open(agentId).rows.change(key, (current) => {
      before = current;
      return changed(key, current, patch);
    });
    if (after === undefined) throw new PatchbayError("INTERNAL", `The row of ${key} was not kept.`);
    if (after !== before) this.changes.emit("row", agentId, key);
    return after;
  }

  /**
   * Records what an instance reports: in memory at once, on disk at most twice a second. Does nothing when there is no
   * row (it was forgotten meanwhile), when nothing is new, or when the app has closed.
   */
  report(agentId: string, key: string, report: AgentPluginReport): void {
    if (this.#closed) return;
    const agent = this.#readable(agentId);
    const current = agent?.rows.get(key);
    if (!agent || !current) return;
    const fields: Partial<StoredRow> = defined(report);
    if (isDeepStrictEqual({ ...current, ...fields }, current)) return;
    if (report.lastError !== undefined) {
      fields.lastErrorAt = report.lastError === null ? null : new Date().toISOString();
    }
    void agent.rows.mergeLater(key, fields);
    this.changes.emit("row", agentId, key);
  }

  /** The secret names of a save of this row that is not over yet; both lists are empty when there is none. */
  pending(agentId: string, key: string): Readonly<PendingNames> {
    return this.#readable(agentId)?.rows.get(key)?.pending ?? nonePending;
  }

  /**
   * Notes which names in the vault a save is about to write and which it will no longer use; the note is on disk when
   * the promise resolves. Where there is no row yet, one of revision 0 is made to carry it. Null removes the note: the
   * save is over. The removal is on disk a little later, and a row that is still of revision 0 is removed too. This is
   * no edit by a person, so the revision stays.
   *
   * @throws PatchbayError AGENT_NOT_FOUND, DISK_FULL, WRITE_FAILED
   */
  async notePending(agentId: string, key: string, pending: PendingNames | null): Promise<void> {
    this.#refuseWhenGone(agentId);
    const { rows } = this.#open(agentId);
    if (pending) {
      await rows.change(key, (row) => ({ ...(row ?? newRow(key)), pending }));
      return;
    }
    let isGone = false;
    if (rows.get(key)?.revision === 0) {
      await rows.change(key, (row) => {
        isGone = row?.pending !== undefined && row.revision === 0;
        return isGone ? undefined : row;
      });
    } else if (rows.get(key)?.pending) void rows.mergeLater(key, { pending: undefined });
    if (isGone) this.changes.emit("forgotten", agentId, key);
  }

  /**
   * Keeps in the row the name and the source of its plugin, which is being uninstalled, so that the row can still be
   * shown and no other package gets it. Undefined: the row belongs to what is installed now. The revision stays.
   *
   * @param make also where there is no row yet
   */
  async keepGone(agentId: string, key: string, gone: GonePlugin | undefined, make = false): Promise<void> {
    await this.#readable(agentId)?.rows.change(key, (row) => {
      if (!row) return make ? { ...newRow(key), gone } : undefined;
      return { ...row, gone };
    });
  }

  /** Removes what the plugin stored for this agent by itself. */
  async dropValues(agentId: string, key: string): Promise<void> {
    this.#refuseWhenGone(agentId);
    await this.#open(agentId).forgetStorage(key);
  }

  /**
   * Removes the row and what the plugin stored for this agent; done on disk when the promise resolves. With `pending`
   * names, a row of revision 0 that holds only these names stays, until `notePending(…, null)` says that their secrets
   * were removed, too.
   */
  async forget(
    agentId: string,
    key: string,
    pending: PendingNames = { written: [], outdated: [] },
  ): Promise<void> {
    this.#refuseWhenGone(agentId);
    const agent = this.#open(agentId);
    await agent.forgetStorage(key);
    const isOver = pending.written.length + pending.outdated.length === 0;
    let wasThere = false;
    await agent.rows.change(key, (row) => {
      wasThere = row !== undefined;
      return isOver || !wasThere ? undefined : { ...newRow(key), pending };
    });
    if (wasThere) this.changes.emit("forgotten", agentId, key);
  }

  /** Closes an agent's files without writing to them. Call it before the agent's folder is removed. */
  async removeAgent(agentId: string): Promise<void> {
    this.#unreadable.delete(agentId);
    this.#agents.get(agentId)?.discard();
    this.#agents.delete(agentId);
  }

  /** The values that the plugin keeps for this agent: at most 1 MiB in all. */
  storage(agentId: string, key: string): StoredValues {
    this.#refuseWhenGone(agentId);
    return this.#open(agentId).storage(key);
  }

  /** What a readable agent has no row of is really gone. */
  isReadable(agentId: string): boolean {
    return this.#readable(agentId) !== null;
  }

  /** True while it cannot be said whether the rows of an agent are genuine. */
  unproven(agentId: string): boolean {
    return this.#readable(agentId)?.rows.unproven ?? false;
  }

  /** Judges the rows again, as `Rows.review` does. */
  review(adopt: boolean): void {
    for (const [agentId, { rows }] of this.#agents) {
      for (const key of rows.review(adopt)) {
        this.changes.emit(rows.get(key) ? "row" : "forgotten", agentId, key);
      }
    }
  }

  /** Changes a row otherwise than by an edit of its settings: the revision stays. Throws as `set`. */
  async amend(agentId: string, key: string, edit: (row?: StoredRow) => StoredRow | undefined): Promise<void> {
    this.#refuseWhenGone(agentId);
    await this.#open(agentId).rows.change(key, edit);
    this.changes.emit("row", agentId, key);
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.rows.flush()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#agents.values()].map((agent) => agent.close()));
    this.#agents.clear();
    this.changes.removeAllListeners();
  }

  /**
   * A late write must not make the folder of a removed agent again, and nothing is written after the lease was given
   * back.
   */
  #refuseWhenGone(agentId: string): void {
    if (!this.#options.storage.agents.has(agentId)) throw agentNotFound(agentId);
    if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
  }

  /**
   * The agent's open rows; null when its file cannot be read. That one file must not keep the other agents from being
   * shown, so the problem is a notice and no error.
   */
  #readable(agentId: string): OpenAgent | null {
    if (this.#unreadable.has(agentId)) return null;
    try {
      return this.#open(agentId);
    } catch (error) {
      this.#unreadable.add(agentId);
      this.#options.onNotice(toProblem(error, "READ_FAILED"));
      return null;
    }
  }

  #open(agentId: string): OpenAgent {
    const known = this.#agents.get(agentId);
    if (known) return known;
    const agent = new OpenAgent(this.#options, agentId);
    this.#agents.set(agentId, agent);
    this.#unreadable.delete(agentId);
    return agent;
  }
}

/** The open rows and plugin values of one agent. */
class OpenAgent {
  readonly rows: Rows<StoredRow>;
  readonly #storage: Storage;
  readonly #agentId: string;
  readonly #values = new Map<string, StoredValues>();

  constructor({ storage, upgrade = (old) => old, guard }: AgentPluginsOptions, agentId: string) {
    this.#storage = storage;
    this.#agentId = agentId;
    this.rows = storage.rows(collection(upgrade, guard), { agentId });
  }

  storage(pluginKey: string): StoredValues {
    const known = this.#values.get(pluginKey);
    if (known) return known;
    const values = new StoredValues({ storage: this.#storage, agentId: this.#agentId, pluginKey });
    this.#values.set(pluginKey, values);
    return values;
  }

  async forgetStorage(pluginKey: string): Promise<void> {
    this.#values.get(pluginKey)?.discard();
    this.#values.delete(pluginKey);
    await this.#storage.drop("plugin-values", { agentId: this.#agentId, pluginKey });
  }

  async close(): Promise<void> {
    await this.rows.close();
    await Promise.all([...this.#values.values()].map((values) => values.close()));
  }

  discard(): void {
    this.rows.discard();
    for (const values of this.#values.values()) values.discard();
  }
}
