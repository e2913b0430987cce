/**
 * Work of functions that are given no engine, such as comparisons: it is charged to the engine whose task runs now. Without this, a
 * small value whose parts are used again and again (a tuple of twice the same, 64 levels deep) would keep them busy for ever.
 */
let charged: { spend(steps: number): void } | null = null;

/** Says whose task runs now; null: none. */
export function chargeWorkTo(engine: typeof charged): void {
  charged = engine;
}

/** Counts work. @throws Interrupted */
export function spendWork(steps: number): void {
  if (charged !== null) charged.spend(steps);
}
