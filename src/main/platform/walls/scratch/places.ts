import { accessSync, constants, mkdtempSync, readFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "patchbay-wall-";
const memory = "/dev/shm";

/** Milliseconds that the folder of a Patchbay which is gone is left where it is: longer than any clock is wrong by. */
const LEFT_MS = 60 * 60 * 1_000;

let found: string | undefined;

/** A folder in memory, when there is one in which the system notes what was read; else the usual one for such things. */
export function inMemory(): string {
  found ??= isUsable(memory) ? memory : tmpdir();
  return found;
}

const swept = new Set<string>();

/** Makes a folder of this process in there. At the first one, what processes that are gone left there is removed. */
export function newFolder(place: string): string {
  if (!swept.has(place)) {
    swept.add(place);
    void sweep(place).catch(() => {});
  }
  return mkdtempSync(join(place, `${prefix}${process.pid}-`));
}

/**
 * Removes folders of walls in there whose process is gone: a Patchbay that was killed could not.
 *
 * @param now milliseconds since 1970
 */
export async function sweep(place: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(place, name);
    const about = await stat(path).catch(() => null);
    if (!about || about.uid !== process.getuid?.() || now - about.mtimeMs < LEFT_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Not where the system was told not to note when a file is read: bait would not tell. */
function isUsable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const own = mounts.map((line) => line.split(" ")).findLast(([, at]) => at === place);
    return own !== undefined && own[2] === "tmpfs" && !own[3]?.split(",").includes("noatime");
  } catch {
    return false;
  }
}
