import type { LogEntry, PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { InstanceContributions } from "../../runtimes/runtime.ts";
import type { Figures } from "../figures/figures.ts";
import type { Place, PoolOptions } from "../ports.ts";

/** The services of the pool that a slot uses. */
export interface SlotHost {
  readonly options: PoolOptions;
  readonly clock: Clock;
  figures(agentId: string, key: string): Figures;
  changed(place: Place): void;
  contributionsChanged(place: Place): void;
  logged(place: Place, entry: LogEntry): void;
  /** The error when another running plugin of the same agent already has one of these tool names; else null. */
  toolClash(place: Place, contributions: InstanceContributions): PatchbayError | null;
}

/** Told when the wait after a crash is over, and when it ended without a fault. */
export type Wake = Record<"recover" | "finished", () => void>;
