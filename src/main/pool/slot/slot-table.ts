import { Slot } from "./slot.ts";
import type { SlotHost } from "./slot-host.ts";

/** The slots of the pool by agent and plugin key. A slot is made when it is first needed. */
export class SlotTable {
  readonly #host: SlotHost;
  readonly #byAgent = new Map<string, Map<string, Slot>>();

  constructor(host: SlotHost) {
    this.#host = host;
  }

  find(agentId: string, key: string): Slot | undefined {
    return this.#byAgent.get(agentId)?.get(key);
  }

  ensure(agentId: string, key: string): Slot {
    const found = this.find(agentId, key);
    if (found) return found;
    const slot = new Slot(agentId, key, this.#host);
    const ofAgent = this.#byAgent.get(agentId) ?? new Map<string, Slot>();
    this.#byAgent.set(agentId, ofAgent.set(key, slot));
    return slot;
  }

  ofAgent(agentId: string): Slot[] {
    return [...(this.#byAgent.get(agentId)?.values() ?? [])];
  }

  ofPlugin(key: string): Slot[] {
    return this.all().filter((slot) => slot.key === key);
  }

  all(): Slot[] {
    return [...this.#byAgent.values()].flatMap((ofAgent) => [...ofAgent.values()]);
  }

  remove(slot: Slot): void {
    const ofAgent = this.#byAgent.get(slot.agentId);
    if (ofAgent?.get(slot.key) !== slot) return;
    ofAgent.delete(slot.key);
    if (ofAgent.size === 0) this.#byAgent.delete(slot.agentId);
  }
}
