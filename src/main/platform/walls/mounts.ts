import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

/** One thing that bubblewrap shows behind a wall. Each costs every start of a process some time. */
export interface Mount {
  at: string;
  /** Where it lies; absent: something is made for it, such as an empty folder. */
  from?: string;
  options: readonly string[];
  /** Whether it need not be there. */
  isOptional?: boolean;
  access?: "read" | "write";
}

/**
 * The mounts in the order in which they must be made, those nearer to the root first, because a mount hides what was
 * mounted below it before. Left out is what changes nothing: one that a later one at the same place covers, and one for
 * reading in a folder that can be read as a whole.
 */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const sorted = mounts.toSorted((one, other) => depth(one.at) - depth(other.at));
  const last = new Map<string, Mount>();
  for (const mount of sorted)
    if (!mount.isOptional || isThere(mount) || !last.has(mount.at)) last.set(mount.at, mount);
  return sorted.filter((mount) => last.get(mount.at) === mount && !isSeenAnyway(mount, last));
}

/** Of folders that are shown for reading, those that do not lie in another one. */
export function outermost(paths: Iterable<string>): string[] {
  const all = [...new Set(paths)];
  const known = new Set(all);
  return all.filter((path) => {
    const outer = enclosing(path, (folder) => known.has(folder));
    return outer === null || !isSame(path, outer);
  });
}

function isSeenAnyway({ at, from, access }: Mount, all: ReadonlyMap<string, Mount>): boolean {
  // A folder that may be changed stays what it is when it is one of its own: what is mounted cannot be renamed.
  if (from !== at || access !== "read") return false;
  const outer = enclosing(at, (folder) => all.has(folder));
  const mount = outer === null ? undefined : all.get(outer);
  return mount?.from === outer && mount?.access === access && isSame(at, mount.at);
}

/** Whether a path in a folder is what the folder holds under that name, and no link on the way leads elsewhere. */
export function isSame(path: string, outer: string): boolean {
  try {
    return realpathSync(path) === realpathSync(outer) + path.slice(outer.length);
  } catch {
    return false;
  }
}

function enclosing(path: string, isOne: (folder: string) => boolean): string | null {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (isOne(folder)) return folder;
  return null;
}

function isThere({ from, at }: Mount): boolean {
  return existsSync(from ?? at);
}

function depth(path: string): number {
  return path.split("/").filter((part) => part !== "").length;
}
