import { type LogEntry, type LogLevel, logEntrySchema, type Problem } from "../../../contract/index.ts";
import { type Clock, isoTime, systemClock } from "../../base/clock.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import type { Log, Storage } from "../../store/index.ts";
import type { Announces, PoolEvents, PoolOptions } from "../ports.ts";
import { KeptTrouble } from "./kept-trouble.ts";

const FLUSH_MS = 500;
/** Most characters of one plugin that wait to be written; a plugin that writes more in half a second loses the oldest. */
const MOST_WAITING = 256 * 1024;
/** Size in bytes from which a file becomes the older half. */
const MOST_BYTES = 1024 * 1024;
/** Most lines of earlier runs that are read. */
const MOST_EARLIER = 5_000;
const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const RESTARTED = "Patchbay was started again.";

interface Filter {
  after?: number | undefined;
  level?: LogLevel | undefined;
  limit?: number | undefined;
}

/** What is to be written of one (agent, plugin). */
interface Waiting {
  readonly agentId: string;
  readonly key: string;
  readonly queue: SerialQueue;
  entries: LogEntry[];
  characters: number;
  dropped: number;
  /** Whether this run of the app has written already. */
  begun: boolean;
}

export interface KeptLogsOptions {
  storage: Pick<Storage, "log" | "drop"> & { agents: Pick<Storage["agents"], "traces"> };
  agents: { list(): readonly { id: string }[] };
  agentPlugins: Pick<PoolOptions["agentPlugins"], "get"> & {
    isReadable(agentId: string): boolean;
    readonly changes: Announces<{ forgotten: [agentId: string, key: string] }>;
  };
  vault: Pick<PoolOptions["vault"], "redact">;
  pool(): {
    readonly changes: Announces<Pick<PoolEvents, "log">>;
    logs(
      agentId: string,
      key: string,
      filter?: { after?: number; level?: LogLevel; limit?: number },
    ): LogEntry[];
  };
  /** Rows that somebody else changed; what they left stays until the person has decided. */
  setAside: { list(): readonly { agentId: string | null; rowId: string }[] };
  onNotice(problem: Problem): void;
  clock?: Clock;
}

/**
 * Writes what plugins log into files of at most two halves of about a megabyte each, and reads it after a restart of
 * the app. Lines of earlier runs are numbered from zero down. No plugin fails because its log cannot be written; that is
 * said once.
 */
export class KeptLogs {
  readonly #options: KeptLogsOptions;
  readonly #clock: Clock;
  readonly #trouble: KeptTrouble;
  /** When this run of the app began. What is older was written by an earlier one. */
  readonly #since: string;
  readonly #waiting = new Map<string, Waiting>();
  #cancelFlush: (() => void) | null = null;

  constructor(options: KeptLogsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#trouble = new KeptTrouble("What plugins log is not kept", options.onNotice);
    this.#since = isoTime(this.#clock);
  }

  follow(): void {
    this.#options.pool().changes.on("log", (agentId, key, entry) => this.#add(agentId, key, entry));
    this.#options.agentPlugins.changes.on("forgotten", (agentId, key) => void this.#forget(agentId, key));
  }

  /** The lines of earlier runs and of this one. `after` a line of this run, only newer ones. */
  async read(agentId: string, key: string, filter: Filter = {}): Promise<LogEntry[]> {
    const { after, level = "debug", limit = Number.POSITIVE_INFINITY } = filter;
    const earlier = after === undefined ? await this.#earlier(agentId, key) : [];
    const pool = this.#options.pool();
    if (earlier.length > 0 && pool.logs(agentId, key, { limit: 1 }).length > 0)
      earlier.push(this.#restartMark());
    const least = LEVELS.indexOf(level);
    const kept = earlier.filter((entry) => LEVELS.indexOf(entry.level) >= least);
    const lines = [...kept, ...pool.logs(agentId, key, { level, ...(after !== undefined && { after }) })];
    return lines.slice(Math.max(0, lines.length - limit));
  }

  /**
   * Removes the logs and figures that were left when the app was killed while a plugin was being removed from an agent.
   * Call it when the rows of all agents can be read.
   */
  async tidy(): Promise<void> {
    const { storage, agents, agentPlugins, setAside } = this.#options;
    const kept = new Set(setAside.list().map(({ agentId, rowId }) => `${agentId} ${rowId}`));
    for (const { id: agentId } of agents.list()) {
      if (!agentPlugins.isReadable(agentId)) continue;
      for (const { pluginKey, what } of storage.agents.traces(agentId)) {
        if (agentPlugins.get(agentId, pluginKey) || kept.has(`${agentId} ${pluginKey}`)) continue;
        if (what === "figures") await storage.drop("figures", { agentId, pluginKey });
        else await this.#withLog(agentId, pluginKey, (log) => log.remove());
      }
    }
  }

  /** Writes what waits. Call it when the pool is closed. */
  async close(): Promise<void> {
    await this.#flush();
  }

  async #earlier(agentId: string, key: string): Promise<LogEntry[]> {
    const entries = await this.#at(agentId, key).queue.run(() =>
      this.#withLog(agentId, key, (log) => log.readAll()),
    );
    const earlier = entries.filter(({ at }) => at < this.#since).slice(-MOST_EARLIER);
    const { vault } = this.#options;
    return earlier.map((entry, index) => ({
      ...entry,
      seq: index - earlier.length,
      text: vault.redact(entry.text),
    }));
  }

  #at(agentId: string, key: string): Waiting {
    const place = `${agentId}/${key}`;
    let found = this.#waiting.get(place);
    if (!found) {
      found = {
        agentId,
        key,
        queue: new SerialQueue(),
        entries: [],
        characters: 0,
        dropped: 0,
        begun: false,
      };
      this.#waiting.set(place, found);
    }
    return found;
  }

  #add(agentId: string, key: string, entry: LogEntry): void {
    const waiting = this.#at(agentId, key);
    waiting.entries.push(entry);
    waiting.characters += entry.text.length;
    if (waiting.characters > MOST_WAITING) dropOldest(waiting);
    this.#cancelFlush ??= this.#clock.after(FLUSH_MS, () => void this.#flush());
  }

  async #flush(): Promise<void> {
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    const full = [...this.#waiting.values()].filter(({ entries }) => entries.length > 0);
    await Promise.all(full.map((waiting) => waiting.queue.run(() => this.#keep(waiting))));
  }

  async #keep(waiting: Waiting): Promise<void> {
    try {
      if (await this.#write(waiting)) this.#trouble.worked();
    } catch (error) {
      this.#trouble.failed(error);
    }
  }

  /** @returns whether there was something to write */
  async #write(waiting: Waiting): Promise<boolean> {
    const { agentId, key, entries, dropped, begun } = waiting;
    Object.assign(waiting, { entries: [], characters: 0, dropped: 0 });
    const first = entries[0];
    // A plugin that was removed from its agent leaves nothing, and must not bring the agent's folder back.
    if (!first || !this.#options.agentPlugins.get(agentId, key)) return false;
    const { vault } = this.#options;
    const lines = entries.map((entry) => ({ ...entry, text: vault.redact(entry.text) }));
    if (dropped > 0) {
      const text = `${dropped} lines came faster than they could be kept; they are left out.`;
      lines.unshift({ seq: 0, origin: "patchbay", at: first.at, level: "warn", text });
    }
    await this.#withLog(agentId, key, async (log) => {
      const size = await log.size();
      if (!begun && size > 0) lines.unshift(this.#restartMark());
      waiting.begun = true;
      if (size > MOST_BYTES) await log.turnOver();
      await log.append(...lines);
    });
    return true;
  }

  #restartMark(): LogEntry {
    const ours = { seq: 0, origin: "patchbay", level: "info" } as const;
    return { ...ours, at: this.#since, text: RESTARTED, mark: "restarted" };
  }

  /** Its data was deleted; what was just being written is deleted, too. */
  #forget(agentId: string, key: string): Promise<void> {
    const waiting = this.#at(agentId, key);
    Object.assign(waiting, { entries: [], characters: 0, dropped: 0, begun: false });
    return waiting.queue.run(async () => {
      if (this.#options.agentPlugins.get(agentId, key)) return;
      await this.#options.storage.drop("plugin-values", { agentId, pluginKey: key }).catch(() => {});
      this.#waiting.delete(`${agentId}/${key}`);
    });
  }

  /** Opens the file for one use, so that no open file keeps the agent's folder from being moved. */
  async #withLog<T>(agentId: string, key: string, use: (log: Log<LogEntry>) => Promise<T>): Promise<T> {
    const place = { kind: "plugin", agentId, pluginKey: key } as const;
    const log = this.#options.storage.log({ place, schema: logEntrySchema });
    try {
      return await use(log);
    } finally {
      await log.close();
    }
  }
}

/** Halves what waits, so that a flood costs little for each line. */
function dropOldest(waiting: Waiting): void {
  while (waiting.characters > MOST_WAITING / 2 && waiting.entries.length > 1) {
    const cut = Math.ceil(waiting.entries.length / 2);
    for (const { text } of waiting.entries.splice(0, cut)) waiting.characters -= text.length;
    waiting.dropped += cut;
  }
}
