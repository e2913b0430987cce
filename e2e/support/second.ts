import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "@playwright/test";

/** How long starting a bare process takes on two idle cores at most, in milliseconds. */
const idleStartMs = 80;

/**
 * Expects that something is shown one second after this call at the latest. On a busy machine the second grows by the
 * factor by which bare processes that are started in that very second are slower there than on an idle machine: a factor
 * measured before or after says nothing of a stall in between.
 *
 * @param shown the expectation, asked again and again; it is given the time limit of one look
 */
export async function withinASecond(shown: (limit: { timeout: number }) => Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const began = performance.now();
  const starts = startsUntil(over.signal);
  try {
    await seen(shown, began + 20_000);
  } finally {
    over.abort();
  }
  const took = performance.now() - began;
  const slowdown = Math.max(1, mean(await starts) / idleStartMs);
  expect(
    took,
    `milliseconds, on a machine ${slowdown.toFixed(1)} times slower than an idle one`,
  ).toBeLessThan(1_000 * slowdown);
}

/**
 * Looks every few milliseconds. Left to itself, an expectation looks after 100, 350, 850 and 1,850 ms: what is shown after 900
 * would count as shown after almost two seconds, or not at all.
 */
async function seen(shown: (limit: { timeout: number }) => Promise<unknown>, until: number): Promise<void> {
  for (;;) {
    try {
      await shown({ timeout: 50 });
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

/** How long each of the bare processes took to start that were started one after the other until then, in milliseconds. */
async function startsUntil(over: AbortSignal): Promise<number[]> {
  const starts: number[] = [];
  while (!over.aborted) {
    // Few enough to take nothing away from what is waited for.
    await wait(200, undefined, { signal: over }).catch(() => {});
    if (over.aborted) break;
    const startedAt = performance.now();
    const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    await once(child, "exit");
    starts.push(performance.now() - startedAt);
  }
  return starts;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
