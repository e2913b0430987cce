/** Milliseconds for which a measurement counts. Node opens a file for each, which behind a wall is looked at. */
const FRESH_MS = 1_000;

let measured = { bytes: 0, atMs: Number.NEGATIVE_INFINITY };

/** Bytes of memory that this process has, at most a second old. */
export function residentMemory(): number {
  const atMs = performance.now();
  if (atMs - measured.atMs >= FRESH_MS) measured = { bytes: process.memoryUsage.rss(), atMs };
  return measured.bytes;
}
