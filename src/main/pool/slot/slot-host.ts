import type { LogEntry, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { PoolOptions } from "../ports.ts";
import type { Slot } from "./slot.ts";

/** What a slot needs of the pool it stands in. */
export interface SlotHost {
  readonly options: PoolOptions;
  readonly clock: Clock;
  changed(slot: Slot): void;
  contributionsChanged(slot: Slot): void;
  logged(slot: Slot, entry: LogEntry): void;
  /** A tool name that another running plugin of the same agent has already. */
  toolClash(slot: Slot, contributions: InstanceContributions): PatchbayError | null;
}
