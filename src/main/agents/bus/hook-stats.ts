/** How often a hook ran, failed, and how long it took: a ring of its last 128 times. */
export class HookStats {
  calls = 0;
  failures = 0;
  private readonly times: number[] = [];

  count(ms: number, failed: boolean): void {
    if (this.times.length < 128) this.times.push(ms);
    else this.times[this.calls % 128] = ms;
    this.calls += 1;
    if (failed) this.failures += 1;
  }

  /** Milliseconds; null before the first call. */
  p50(): number | null {
    if (this.times.length === 0) return null;
    const sorted = [...this.times].sort((left, right) => left - right);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
  }
}
