import type { LogEntry, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { PoolOptions } from "../ports.ts";

/** One (agent, plugin), and what it offers while it can be called. */
export interface Place {
  readonly agentId: string;
  readonly key: string;
  readonly contributions: InstanceContributions | null;
}

/** What a slot needs of the pool it stands in. */
export interface SlotHost {
  readonly options: PoolOptions;
  readonly clock: Clock;
  changed(place: Place): void;
  contributionsChanged(place: Place): void;
  logged(place: Place, entry: LogEntry): void;
  /** A tool name that another running plugin of the same agent has already. */
  toolClash(place: Place, contributions: InstanceContributions): PatchbayError | null;
}
