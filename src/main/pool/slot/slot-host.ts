import type { LogEntry, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { Place, PoolOptions } from "../ports.ts";

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
