import { EventEmitter } from "node:events";
import type { Problem } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { SerialQueue } from "../../base/serial-queue.ts";
import { type Collection, only, type Storage } from "../../store/index.ts";
import { KeptTrouble } from "../journal/kept-trouble.ts";
import type { Announces, PoolOptions } from "../ports.ts";
import { Figures, type StoredFigures, storedFiguresSchema } from "./figures.ts";

/** Figures on disk are at most this much older than those in memory, in milliseconds. */
const WRITE_MS = 4_000;
/** Screens are told at most this often, in milliseconds, however many calls there are. */
const ANNOUNCE_MS = 1_000;

const collection: Collection<StoredFigures> = {
  name: "figures",
  schema: storedFiguresSchema,
  version: 1,
};

interface Counted {
  readonly agentId: string;
  readonly key: string;
  readonly figures: Figures;
}

export interface KeptFiguresOptions {
  storage: Pick<Storage, "rows" | "drop"> & { agents: Pick<Storage["agents"], "traces"> };
  agentPlugins: Pick<PoolOptions["agentPlugins"], "get"> & {
    readonly changes: Announces<{ forgotten: [agentId: string, key: string] }>;
  };
  agents: {
    list(): readonly { id: string }[];
    readonly changes: Announces<{ removed: [agentId: string] }>;
  };
  registry: { readonly changes: Announces<{ removed: [key: string] }> };
  onNotice(problem: Problem): void;
  clock?: Clock;
}

/**
 * The figures of all plugins, which outlast a restart of the app: one small file for each (agent, plugin), read when it
 * is first asked for, written a few seconds after a call and when the app closes. They go when the plugin is uninstalled
 * or its state is removed from the agent.
 */
export class KeptFigures {
  readonly changes = new EventEmitter<{ counted: [agentId: string, key: string] }>();
  readonly #options: KeptFiguresOptions;
  readonly #clock: Clock;
  readonly #trouble: KeptTrouble;
  readonly #queue = new SerialQueue();
  readonly #agents = new Map<string, Map<string, Counted>>();
  /** Of which plugins of an agent there is a file that was not read yet. */
  readonly #stored = new Map<string, Set<string>>();
  #unwritten = new Set<Counted>();
  #untold = new Set<Counted>();
  #cancelWrite: (() => void) | null = null;
  #cancelTell: (() => void) | null = null;

  constructor(options: KeptFiguresOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#trouble = new KeptTrouble("The figures of plugins are not kept", options.onNotice);
    options.agentPlugins.changes.on("forgotten", (agentId, key) => this.#forget(agentId, key));
    options.registry.changes.on("removed", (key) => this.#uninstalled(key));
    options.agents.changes.on("removed", (agentId) => this.#agentRemoved(agentId));
  }

  /** The figures of a plugin, to count in. */
  of(agentId: string, key: string): Figures {
    return this.find(agentId, key) ?? this.#add(agentId, key);
  }

  /** The figures of a plugin; undefined when nothing was ever counted. */
  find(agentId: string, key: string): Figures | undefined {
    const found = this.#agents.get(agentId)?.get(key);
    if (found) return found.figures;
    return this.#storedOf(agentId).delete(key)
      ? this.#add(agentId, key, this.#read(agentId, key))
      : undefined;
  }

  /** Writes what was counted. Call it when the pool is closed. */
  async close(): Promise<void> {
    this.#cancelTell?.();
    await this.#write();
    // What was begun before is over, too.
    await this.#queue.run(async () => {});
    this.changes.removeAllListeners();
  }

  #add(agentId: string, key: string, stored?: StoredFigures): Figures {
    const counted: Counted = {
      agentId,
      key,
      figures: new Figures(this.#clock, () => this.#changed(counted), stored),
    };
    const ofAgent = this.#agents.get(agentId) ?? new Map<string, Counted>();
    this.#agents.set(agentId, ofAgent.set(key, counted));
    return counted.figures;
  }

  /** With every call. */
  #changed(counted: Counted): void {
    this.#unwritten.add(counted);
    this.#untold.add(counted);
    this.#cancelWrite ??= this.#clock.after(WRITE_MS, () => void this.#write());
    this.#cancelTell ??= this.#clock.after(ANNOUNCE_MS, () => this.#tell());
  }

  #tell(): void {
    this.#cancelTell = null;
    const untold = this.#untold;
    this.#untold = new Set();
    for (const { agentId, key } of untold) this.changes.emit("counted", agentId, key);
  }

  async #write(): Promise<void> {
    this.#cancelWrite?.();
    this.#cancelWrite = null;
    const unwritten = this.#unwritten;
    this.#unwritten = new Set();
    await Promise.all([...unwritten].map((counted) => this.#queue.run(() => this.#writeOne(counted))));
  }

  async #writeOne(counted: Counted): Promise<void> {
    const { agentId, key, figures } = counted;
    const isThere = () => this.#options.agentPlugins.get(agentId, key) !== undefined;
    // What was removed leaves nothing, and must not bring the agent's folder back.
    if (!isThere() || figures.isEmpty) return;
    try {
      const rows = this.#options.storage.rows(collection, { agentId, pluginKey: key });
      try {
        await rows.change(only, (before) => (isThere() ? figures.toStored() : before));
      } finally {
        rows.discard();
      }
      this.#trouble.worked();
    } catch (error) {
      // Written with the next call.
      this.#unwritten.add(counted);
      this.#trouble.failed(error);
    }
  }

  #storedOf(agentId: string): Set<string> {
    let stored = this.#stored.get(agentId);
    if (!stored) {
      stored = new Set(this.#filesOf(agentId));
      this.#stored.set(agentId, stored);
    }
    return stored;
  }

  #filesOf(agentId: string): string[] {
    try {
      const traces = this.#options.storage.agents.traces(agentId);
      return traces.filter(({ what }) => what === "figures").map(({ pluginKey }) => pluginKey);
    } catch {
      return [];
    }
  }

  /** Of a damaged file the store says so itself, and puts it aside. */
  #read(agentId: string, key: string): StoredFigures | undefined {
    try {
      const rows = this.#options.storage.rows(collection, { agentId, pluginKey: key });
      const stored = rows.get(only);
      rows.discard();
      return stored;
    } catch (error) {
      this.#trouble.failed(error);
      return undefined;
    }
  }

  #forget(agentId: string, key: string): void {
    this.find(agentId, key)?.clear();
    void this.#queue.run(() =>
      this.#options.storage.drop("figures", { agentId, pluginKey: key }).catch(() => {}),
    );
  }

  #uninstalled(key: string): void {
    for (const { id } of this.#options.agents.list()) if (this.find(id, key)) this.#forget(id, key);
  }

  /** Its folder is away already. */
  #agentRemoved(agentId: string): void {
    for (const { figures } of this.#agents.get(agentId)?.values() ?? []) figures.clear();
    this.#agents.delete(agentId);
    this.#stored.delete(agentId);
  }
}
