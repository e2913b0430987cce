import type { Clock } from "../../src/main/base/clock.ts";

/** A clock whose time moves only when a test calls {@link advance}. */
export class FakeClock implements Clock {
  #now = Date.parse("2026-01-01T00:00:00Z");
  readonly #timers = new Set<{ at: number; run(): void }>();

  now(): number {
    return this.#now;
  }

  ticks(): number {
    return this.#now;
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.#timers.size;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves the time forward by `ms` milliseconds and runs the timers that become due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#next(end); due; due = this.#next(end)) {
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
    }
    this.#now = end;
  }

  #next(end: number): { at: number; run(): void } | undefined {
    let first: { at: number; run(): void } | undefined;
    for (const timer of this.#timers) if (timer.at <= end && (!first || timer.at < first.at)) first = timer;
    return first;
  }
}
