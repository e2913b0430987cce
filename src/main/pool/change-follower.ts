import type { Plugin } from "../../contract/index.ts";
import type { Clock } from "../base/clock.ts";
import { EditedLinks } from "./edits/edited-links.ts";
import type { Announces, PoolOptions } from "./ports.ts";
import type { Slot } from "./slot/slot.ts";
import type { SlotTable } from "./slot/slot-table.ts";
import { dependsOn } from "./wants/want.ts";

/**
 * Listens to the catalogue, the agents and the vault, because their changes alter what should run, and lets the slots
 * start and stop plugins accordingly. It does not listen to rows: the code that changes a row calls `PluginPool.apply`.
 *
 * Of the catalogue: a version put in place or removed, before which `catalog/jobs.ts` stops the plugin. Of the agents: one
 * changed or removed. Of the vault: that it opened, or a secret stored or removed that a switched-on row refers to; the free
 * names that a save writes are none of those.
 */
export class ChangeFollower {
  readonly #options: PoolOptions;
  readonly #slots: SlotTable;
  readonly #forgotten: (slot: Slot) => void;
  readonly #edits: EditedLinks;
  readonly #stops: (() => void)[] = [];

  /** @param forgotten called when a slot was removed because its row or agent was */
  constructor(options: PoolOptions, slots: SlotTable, clock: Clock, forgotten: (slot: Slot) => void) {
    this.#options = options;
    this.#edits = new EditedLinks(options, (key) => slots.ofPlugin(key), clock);
    this.#slots = slots;
    this.#forgotten = forgotten;
  }

  get isFollowing(): boolean {
    return this.#stops.length > 0;
  }

  start(): void {
    const { registry, agents, vault } = this.#options;
    const slots = this.#slots;
    this.#listen(registry.changes, "put", (plugin) => this.#put(plugin));
    this.#listen(registry.changes, "removed", (key) => this.#release(key));
    this.#listen(agents.changes, "agent", ({ id }) => settle(slots.ofAgent(id)));
    this.#listen(agents.changes, "removed", (id) => {
      for (const slot of slots.ofAgent(id)) void this.forget(slot);
    });
    this.#listen(vault.changes, "changed", (name, agentId) => {
      const concerned = agentId === null ? slots.all() : slots.ofAgent(agentId);
      settle(concerned.filter((slot) => dependsOn(this.#options, slot.agentId, slot.key, name)));
    });
    // The vault may have been opened: then plugins that were refused their secrets can start.
    this.#listen(vault.changes, "status", () => settle(slots.all()));
  }

  /** Told when an instance of a plugin changed: from then on edits of its files are followed, if it is linked. */
  runs(key: string): void {
    if (this.isFollowing) this.#edits.watch(key);
  }

  /** Stops a slot for good and removes it from the table. */
  async forget(slot: Slot): Promise<void> {
    await slot.close();
    this.#slots.remove(slot);
    this.#forgotten(slot);
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#edits.stop();
  }

  #put({ manifestKey }: Plugin): void {
    const { agents, agentPlugins } = this.#options;
    for (const { id } of agents.list()) {
      if (agentPlugins.get(id, manifestKey)?.enabled) this.#slots.ensure(id, manifestKey);
    }
    this.#release(manifestKey);
  }

  #release(key: string): void {
    this.#edits.forget(key);
    const slots = this.#slots.ofPlugin(key);
    for (const slot of slots) slot.held = false;
    settle(slots);
  }

  #listen<Events extends Record<keyof Events, unknown[]>, E extends keyof Events>(
    emitter: Announces<Events>,
    event: E,
    listener: (...args: Events[E]) => void,
  ): void {
    emitter.on(event, listener);
    this.#stops.push(() => void emitter.off(event, listener));
  }
}

function settle(slots: readonly Slot[]): void {
  for (const slot of slots) void slot.settle();
}
