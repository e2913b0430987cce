import type { Stats } from "node:fs";

/** Nanoseconds of a clock: 0 is the time of day, the others only rise. */
export function timeOf(id: number): bigint {
  return id === 0 ? BigInt(Date.now()) * 1_000_000n : process.hrtime.bigint();
}

/** Access and modification time in seconds, as `fstflags` want them. */
export function timesOf(stat: Stats, atime: bigint, mtime: bigint, flags: number): [number, number] {
  const now = Date.now() / 1_000;
  const seconds = (value: bigint) => Number(value) / 1e9;
  const accessed = flags & 2 ? now : flags & 1 ? seconds(atime) : stat.atimeMs / 1_000;
  const modified = flags & 8 ? now : flags & 4 ? seconds(mtime) : stat.mtimeMs / 1_000;
  return [accessed, modified];
}
