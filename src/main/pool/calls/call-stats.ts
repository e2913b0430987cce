import type { InstanceView } from "../../../contract/index.ts";

const KEPT = 200;

/** How long the last 200 calls of an instance took, and how many there were. */
export class CallStats {
  /** Made with the first call: most instances are never called. */
  #durations: Float64Array | null = null;
  #count = 0;
  #failed = 0;

  /** @param ms duration in milliseconds */
  add(ms: number, failed: boolean): void {
    this.#durations ??= new Float64Array(KEPT);
    this.#durations[this.#count % KEPT] = ms;
    this.#count += 1;
    if (failed) this.#failed += 1;
  }

  view(): InstanceView["calls"] {
    const kept = this.#durations ?? new Float64Array();
    const sorted = kept.slice(0, Math.min(this.#count, KEPT)).sort();
    return {
      count: this.#count,
      failed: this.#failed,
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
    };
  }
}

function percentile(sorted: Float64Array, share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value * 1_000) / 1_000;
}
