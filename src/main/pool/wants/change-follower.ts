import type { AgentPluginRow, Plugin } from "../../../contract/index.ts";
import type { Announces, PoolOptions } from "../ports.ts";
import type { Slot } from "../slot/slot.ts";
import type { SlotTable } from "../slot/slot-table.ts";

/** Follows the services whose changes alter what should run, and lets the slots settle to it. */
export class ChangeFollower {
  readonly #options: PoolOptions;
  readonly #slots: SlotTable;
  readonly #forgotten: (slot: Slot) => void;
  /** The revision of each row that was acted on; what instances report changes a row without changing it. */
  readonly #revisions = new Map<string, number>();
  readonly #stops: (() => void)[] = [];

  /** @param forgotten called when a slot is gone because its row or agent is */
  constructor(options: PoolOptions, slots: SlotTable, forgotten: (slot: Slot) => void) {
    this.#options = options;
    this.#slots = slots;
    this.#forgotten = forgotten;
  }

  start(): void {
    const { agentPlugins, registry, agents, vault } = this.#options;
    const slots = this.#slots;
    this.#listen(agentPlugins.changes, "row", (agentId, key) => this.#rowChanged(agentId, key));
    this.#listen(agentPlugins.changes, "forgotten", (agentId, key) => {
      const slot = slots.find(agentId, key);
      if (slot) void this.#forgetRow(slot);
    });
    this.#listen(registry.changes, "put", (plugin) => this.#put(plugin));
    this.#listen(registry.changes, "removed", (key) => this.#release(key));
    this.#listen(agents.changes, "agent", ({ id }) => settle(slots.ofAgent(id)));
    this.#listen(agents.changes, "removed", (id) => {
      for (const slot of slots.ofAgent(id)) void this.forget(slot);
    });
    this.#listen(vault.changes, "changed", (_name, agentId) =>
      settle(agentId === null ? slots.all() : slots.ofAgent(agentId)),
    );
  }

  /** Takes a row as it is for known. */
  seen(agentId: string, row: AgentPluginRow): void {
    this.#revisions.set(placeOf(agentId, row.pluginKey), row.revision);
  }

  /** Stops a slot for good and takes it out. */
  async forget(slot: Slot): Promise<void> {
    const { agentId, key } = slot;
    await slot.close();
    this.#slots.remove(slot);
    this.#revisions.delete(placeOf(agentId, key));
    this.#forgotten(slot);
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #rowChanged(agentId: string, key: string): void {
    const row = this.#options.agentPlugins.get(agentId, key);
    if (!row || this.#revisions.get(placeOf(agentId, key)) === row.revision) return;
    this.seen(agentId, row);
    if (!row.enabled && !this.#slots.find(agentId, key)) return;
    const slot = this.#slots.ensure(agentId, key);
    slot.use();
    void slot.settle();
  }

  #put({ manifestKey }: Plugin): void {
    const { agents, agentPlugins } = this.#options;
    for (const { id } of agents.list()) {
      if (agentPlugins.get(id, manifestKey)?.enabled) this.#slots.ensure(id, manifestKey);
    }
    this.#release(manifestKey);
  }

  #release(key: string): void {
    const slots = this.#slots.ofPlugin(key);
    for (const slot of slots) slot.held = false;
    settle(slots);
  }

  async #forgetRow(slot: Slot): Promise<void> {
    await this.forget(slot);
    // It may have been switched on anew while it stopped.
    if (this.#stops.length > 0) this.#rowChanged(slot.agentId, slot.key);
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

function placeOf(agentId: string, key: string): string {
  return `${agentId}/${key}`;
}
