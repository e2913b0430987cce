import { EventEmitter } from "node:events";
import {
  PatchbayError,
  type Problem,
  type RemovedThing,
  type Restored,
  toProblem,
} from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { KeyedQueue } from "../base/serial-queue.ts";
import type { AgentStore, PluginRegistry, RemovedRow, RemovedRows, RemovedWhat } from "../registry/index.ts";
import type { AuditLog } from "../store/index.ts";
import { RemovedAgents, type RemovedAgentsOptions } from "./agents.ts";
import { FilesAside, type FilesOptions } from "./files.ts";
import type { Keepers, RemovedKeeper } from "./kinds.ts";
import { type RemovedPluginsOptions, UninstalledPlugins } from "./plugins.ts";
import { RemovedSessions, type RemovedSessionsOptions } from "./sessions.ts";
import { keptMs, placeOf, viewOf } from "./view.ts";

export interface RemovedOptions extends RemovedPluginsOptions, RemovedAgentsOptions, RemovedSessionsOptions {
  storage: RemovedAgentsOptions["storage"] & RemovedSessionsOptions["storage"] & FilesOptions["storage"];
  agents: RemovedPluginsOptions["agents"] & RemovedAgentsOptions["agents"] & Pick<AgentStore, "changes">;
  owner: RemovedPluginsOptions["owner"] & RemovedAgentsOptions["owner"];
  vault: RemovedPluginsOptions["vault"] & RemovedAgentsOptions["vault"] & FilesOptions["vault"];
  registry: Pick<PluginRegistry, "get" | "changes">;
  rows: RemovedRows;
  audit: Pick<AuditLog, "record">;
  onNotice(problem: Problem): void;
  clock?: Clock;
}

/** Milliseconds between two looks for what has been kept long enough. */
const tidyEveryMs = 6 * 60 * 60 * 1_000;

/** What was removed: it is listed, restored, or deleted for good by the person, or after some time (`keptMs`). */
export class Removed {
  readonly changes = new EventEmitter<{
    thing: [id: string];
    /** A conversation was removed. */
    session: [sessionId: string];
  }>();
  readonly #options: RemovedOptions;
  readonly #clock: Clock;
  readonly #keepers: Keepers;
  readonly #files: FilesAside;
  /** Two steps with the same thing come one after the other; the second finds what the first has left. */
  readonly #steps = new KeyedQueue();
  readonly #under = new Set<Promise<unknown>>();
  readonly #onRow = (id: string) => {
    this.changes.emit("thing", id);
    const row = this.#options.rows.get(id);
    if (row?.stage === "kept" && row.size === null) this.#background(this.#measure(row));
  };
  readonly #onPlugin = ({ manifestKey }: { manifestKey: string }) => this.#installed(manifestKey);
  /** Names became free or were taken, or a removal is over. */
  readonly #onNames = () => {
    for (const { id } of this.#options.rows.list()) this.#onRow(id);
  };
  #stopTidying = () => {};
  #closed = false;

  constructor(options: RemovedOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#keepers = {
      plugin: new UninstalledPlugins(options),
      agent: new RemovedAgents(options),
      session: new RemovedSessions(options),
    };
    this.#files = new FilesAside(options);
    this.#files.changes.on("file", (id) => this.changes.emit("thing", id));
    options.rows.changes.on("row", this.#onRow);
    options.registry.changes.on("put", this.#onPlugin);
    options.registry.changes.on("removed", this.#onNames);
    options.agents.changes.on("removed", this.#onNames);
  }

  /** Newest first. What is being deleted is not listed any more. */
  list(): RemovedThing[] {
    const rows = this.#options.rows.list().filter(({ stage }) => stage !== "deleting");
    const things = [...rows.map((row) => this.#view(row)), ...this.#files.list()];
    return things.sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  /** The list, after looking anew for files that were set aside. */
  async look(): Promise<RemovedThing[]> {
    await this.#files.look();
    return this.list();
  }

  /** Throws as `FilesAside.text`. */
  text(id: string): Promise<{ fileName: string; text: string }> {
    return this.#files.text(id);
  }

  get(id: string): RemovedThing | undefined {
    const row = this.#options.rows.get(id);
    return row && row.stage !== "deleting" ? this.#view(row) : this.#files.get(id);
  }

  /**
   * Brings it back. Nothing that is there by now is overwritten.
   *
   * @throws PatchbayError REMOVED_NOT_FOUND; KEY_TAKEN, NAMESPACE_TAKEN, AGENT_EXISTS, SESSION_EXISTS when something has
   * its name; AGENT_NOT_FOUND for a conversation without its agent; PLUGIN_FILES_CHANGED, VAULT_CLOSED, DISK_FULL,
   * WRITE_FAILED. It is kept as it was then
   */
  restore(id: string): Promise<Restored> {
    return this.#step(id, async (row) => {
      const { rows, audit } = this.#options;
      await rows.mark(id, "restoring");
      try {
        const job = await this.#keeper(row.what).restore(row.what);
        // A job may fail: then it is still here. It goes when the plugin has come.
        if (job) {
          await rows.mark(id, "kept");
        } else {
          await rows.drop(id);
          audit.record({ kind: "removed.restored", what: row.what.kind, ...placeOf(row.what) });
          this.#keeper(row.what).restored?.(row.what);
        }
        return { job };
      } catch (error) {
        await rows.mark(id, "kept");
        throw error;
      }
    });
  }

  /**
   * Removes a conversation: what runs in it is stopped, and it is kept like everything that was removed.
   * @throws PatchbayError SESSION_NOT_FOUND, VAULT_CLOSED, DISK_FULL, WRITE_FAILED; it is still there then
   */
  async removeSession(agentId: string, sessionId: string): Promise<void> {
    const { rows, work, storage, audit } = this.#options;
    const session = await work.sessions.open(agentId, sessionId);
    const row = await rows.keepSession(session.view);
    try {
      await work.sessions.release(session);
      await storage.removed.take(row.room, { agentId, sessionId });
    } catch (error) {
      if ((await storage.sessions(agentId)).includes(sessionId)) await rows.drop(row.id);
      throw error;
    }
    audit.record({ kind: "session.removed", agentId, sessionId });
    this.changes.emit("session", sessionId);
    this.#onRow(row.id);
  }

  /** Deletes it for good. @throws PatchbayError REMOVED_NOT_FOUND, VAULT_CLOSED, DISK_FULL, WRITE_FAILED */
  delete(id: string): Promise<void> {
    if (this.#files.get(id)) return this.#files.delete(id);
    return this.#step(id, (row) => this.#delete(row, "person"));
  }

  /**
   * Goes on with what was cut short when the app ended, and begins to delete what has been kept long enough. Never
   * rejects: what cannot be done now is said, and tried at the next start.
   */
  async recover(): Promise<void> {
    for (const row of this.#options.rows.list()) {
      await this.#step(row.id, () => this.#settle(row)).catch((error: unknown) => this.#tell(error));
    }
    await this.#files.look().catch((error: unknown) => this.#tell(error));
    await this.#tidy();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTidying();
    const { rows, registry, agents } = this.#options;
    agents.changes.off("removed", this.#onNames);
    rows.changes.off("row", this.#onRow);
    registry.changes.off("put", this.#onPlugin);
    registry.changes.off("removed", this.#onNames);
    await Promise.allSettled([...this.#under]);
    this.changes.removeAllListeners();
  }

  async #settle(row: RemovedRow): Promise<void> {
    const { rows } = this.#options;
    const keeper = this.#keeper(row.what);
    switch (row.stage) {
      case "deleting":
        return this.#delete(row, "person");
      case "restoring":
        if (row.what.kind === "plugin") await rows.mark(row.id, "kept");
        else {
          await keeper.restore(row.what);
          return rows.drop(row.id);
        }
        break;
      case "kept":
        break;
    }
    if (!(await keeper.settle(row.what))) await rows.drop(row.id);
    else if (row.size === null) this.#background(this.#measure(row));
  }

  async #delete({ id, what }: RemovedRow, by: "person" | "time"): Promise<void> {
    const { rows, audit } = this.#options;
    await rows.mark(id, "deleting");
    try {
      await this.#keeper(what).delete(what);
    } catch (error) {
      await rows.mark(id, "kept");
      throw error;
    }
    await rows.drop(id);
    audit.record({ kind: "removed.deleted", what: what.kind, by, ...placeOf(what) });
  }

  /** The same plugin was installed again: it has what was kept of it. */
  #installed(key: string): void {
    for (const { id, what } of this.#options.rows.list()) {
      if (what.kind !== "plugin" || what.plugin.manifestKey !== key) continue;
      const settled = this.#step(id, async (row) => {
        const isKept = await this.#keeper(row.what).settle(row.what);
        if (isKept) this.changes.emit("thing", id);
        else await this.#options.rows.drop(id);
      });
      this.#background(settled.catch((error: unknown) => isGone(error) || this.#tell(error)));
    }
  }

  /** While the list is not known whole, nothing is deleted. */
  async #tidy(): Promise<void> {
    const { rows } = this.#options;
    const before = this.#clock.now() - keptMs;
    for (const { id, at } of rows.whole ? rows.list() : []) {
      if (this.#closed || Date.parse(at) > before) continue;
      await this.#step(id, (row) => this.#delete(row, "time")).catch((error: unknown) => this.#tell(error));
    }
    if (!this.#closed)
      this.#stopTidying = this.#clock.after(tidyEveryMs, () => this.#background(this.#tidy()));
  }

  async #measure({ id, what }: RemovedRow): Promise<void> {
    await this.#steps.run(id, async () => {
      const size = await this.#keeper(what)
        .size(what)
        .catch(() => null);
      if (size && !this.#closed) this.#options.rows.measured(id, size);
    });
  }

  #step<T>(id: string, work: (row: RemovedRow) => Promise<T>): Promise<T> {
    const step = this.#steps.run(id, async () => {
      if (this.#closed) throw new PatchbayError("SHUTTING_DOWN", "Patchbay is closing.");
      const row = this.#options.rows.get(id);
      if (!row) {
        throw new PatchbayError("REMOVED_NOT_FOUND", "Nothing of that id is kept as removed.");
      }
      return work(row);
    });
    this.#background(step.catch(() => {}));
    return step;
  }

  #background(work: Promise<unknown>): void {
    this.#under.add(work);
    void work.finally(() => this.#under.delete(work));
  }

  #tell(error: unknown): void {
    if (!this.#closed) this.#options.onNotice(toProblem(error, "WRITE_FAILED"));
  }

  #view(row: RemovedRow): RemovedThing {
    return viewOf(row, this.#keeper(row.what).describe(row.what));
  }

  #keeper<K extends RemovedWhat["kind"]>(what: { kind: K }): RemovedKeeper<K> {
    return this.#keepers[what.kind];
  }
}

function isGone(error: unknown): boolean {
  return error instanceof PatchbayError && ["REMOVED_NOT_FOUND", "SHUTTING_DOWN"].includes(error.code);
}
