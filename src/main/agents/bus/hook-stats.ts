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

  /** So much of its last calls, 0.5 for half of them, took no longer; in milliseconds, null before the first call. */
  percentile(share: number): number | null {
    const sorted = [...this.times].sort((left, right) => left - right);
    return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
  }
}
