/** The value below which `share` (0 to 1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("There are no samples.");
  return value;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

/** Milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/**
 * Runs the contenders in turn, so that other load on the machine hits all of them alike.
 * @param rounds measured rounds; `warmup` more rounds before them are thrown away
 * @returns milliseconds by contender
 */
export async function interleaved<Name extends string>(
  contenders: Record<Name, () => Promise<unknown>>,
  rounds: number,
  warmup: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmup + rounds; round += 1) {
    // Each round begins with another contender, so that none always profits from caches that the one before it has
    // filled.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length] as Name;
      const ms = await timed(contenders[name]);
      if (round >= warmup) samples[name].push(ms);
    }
  }
  return samples;
}
