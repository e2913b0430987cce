import { EventEmitter } from "node:events";
import {
  type Holds as HoldsView,
  PatchbayError,
  type PluginSearch,
  type Problem,
  pluginSearchSchema,
} from "../../contract/index.ts";
import type { Collection, Rows, Storage } from "../store/index.ts";
import { answerSearch, beginSearch } from "./plugin-search.ts";

/** Why a plugin that is switched on may not run for now. */
export interface Hold {
  kind: "safe_mode" | "search";
  problem: Problem;
}

const collection: Collection<PluginSearch> = { name: "searches", schema: pluginSearchSchema, version: 1 };

interface HoldsOptions {
  storage: Pick<Storage, "rows">;
  onNotice(problem: Problem): void;
  /** Keys of the plugins that are installed and switched on for an agent. */
  switchedOn(agentId: string): string[];
}

/**
 * Which plugins may not run for now although they are switched on: all of them in safe mode, some of them during a
 * search for the plugin that causes a problem. The switches are never changed, so that they are as before even when
 * Patchbay crashes meanwhile.
 */
export class Holds {
  readonly changes = new EventEmitter<{ holds: [holds: HoldsView] }>();
  readonly #options: HoldsOptions;
  readonly #searches = new Map<string, PluginSearch>();
  readonly #rows: Rows<PluginSearch>;
  #safeMode: HoldsView["safeMode"] = null;

  constructor(options: HoldsOptions) {
    this.#options = options;
    this.#rows = options.storage.rows(collection);
    this.#reportInterrupted();
  }

  get(): HoldsView {
    return { safeMode: this.#safeMode, searches: [...this.#searches.values()] };
  }

  /** The hold on a plugin of an agent; null when it may run. */
  of(agentId: string, key: string): Hold | null {
    if (this.#safeMode) return safeModeHold;
    return this.#searches.get(agentId)?.off.includes(key) ? searchHold : null;
  }

  async enterSafeMode(reason: "asked" | "failed_starts"): Promise<void> {
    this.#safeMode = { reason, since: new Date().toISOString() };
    this.#announce();
  }

  async leaveSafeMode(): Promise<void> {
    this.#safeMode = null;
    this.#announce();
  }

  /** @throws PatchbayError SEARCH_NOT_POSSIBLE when nothing is switched on, or in safe mode */
  async begin(agentId: string): Promise<PluginSearch> {
    if (this.#safeMode)
      throw new PatchbayError("SEARCH_NOT_POSSIBLE", "In safe mode every plugin is off already.", {
        help: "Leave safe mode first.",
      });
    const plugins = this.#options.switchedOn(agentId);
    if (plugins.length === 0)
      throw new PatchbayError("SEARCH_NOT_POSSIBLE", "No plugin is switched on for this agent.");
    return this.#put(beginSearch(agentId, plugins));
  }

  /** @throws PatchbayError SEARCH_NOT_POSSIBLE when no search is under way for this agent, or its step is not `step` */
  async answer(agentId: string, step: number, stillThere: boolean): Promise<PluginSearch> {
    const search = this.#searches.get(agentId);
    if (search?.status !== "asking" || search.step !== step)
      throw new PatchbayError("SEARCH_NOT_POSSIBLE", "That question of the search is no longer open.");
    return this.#put(answerSearch(search, stillThere, new Set(this.#options.switchedOn(agentId))));
  }

  async end(agentId: string): Promise<void> {
    if (!this.#searches.has(agentId)) return;
    await this.#rows.change(agentId, () => undefined);
    this.#searches.delete(agentId);
    this.#announce();
  }

  async close(): Promise<void> {
    for (const agentId of this.#searches.keys()) void this.#rows.removeLater(agentId);
    this.#searches.clear();
    await this.#rows.close();
    this.changes.removeAllListeners();
  }

  async #put(search: PluginSearch): Promise<PluginSearch> {
    await this.#rows.change(search.agentId, () => search);
    this.#searches.set(search.agentId, search);
    this.#announce();
    return search;
  }

  #announce(): void {
    this.changes.emit("holds", this.get());
  }

  #reportInterrupted(): void {
    for (const { agentId, status } of [...this.#rows.all().values()]) {
      void this.#rows.removeLater(agentId);
      if (status !== "asking") continue;
      this.#options.onNotice(
        new PatchbayError(
          "SEARCH_INTERRUPTED",
          `The search for the plugin that causes a problem of ${agentId} was interrupted.`,
        ).toProblem(),
      );
    }
  }
}

const safeModeHold: Hold = {
  kind: "safe_mode",
  problem: new PatchbayError("HELD_OFF", "Safe mode keeps it off.", {
    help: "It starts again when you leave safe mode.",
  }).toProblem(),
};

const searchHold: Hold = {
  kind: "search",
  problem: new PatchbayError(
    "HELD_OFF",
    "It is held off while you look for the plugin that causes a problem.",
    { help: "It starts again when the search goes on or ends." },
  ).toProblem(),
};
