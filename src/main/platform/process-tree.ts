import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Kills a process and everything it started (SIGKILL). A utility process of Electron leads no process group, so its
 * descendants are looked up by their parent ids. That happens before the kill: the children of a dead process get
 * another parent id.
 */
export function killTree(pid: number): void {
  if (process.platform === "win32") {
    endWindowsTree(pid);
    return;
  }
  for (const each of [...descendants(pid, readProcessTable()), pid]) killOne(each);
}

/**
 * Environment variable with a value of its own for each host. Children inherit it, so a process that outlived its host
 * is recognised by it.
 */
export const hostMark = "PATCHBAY_HOST_MARK";

/**
 * Kills what a host that is already gone has left behind: every process whose environment has the host's mark. A
 * process that was started without the mark is not found. Does nothing on Windows, where the environment of another
 * process cannot be read.
 */
export function killMarked(mark: string): void {
  const entry = `${hostMark}=${mark}`;
  const marked = process.platform === "linux" ? markedOnLinux(entry) : markedByPs(entry);
  for (const each of marked) if (each !== process.pid) killOne(each);
}

/** All processes below `root`, the deepest last, from pairs of process id and parent id. */
export function descendants(root: number, table: [pid: number, parent: number][]): number[] {
  const found: number[] = [];
  const queue = [root];
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    for (const [pid, itsParent] of table) {
      if (itsParent !== parent || found.includes(pid)) continue;
      found.push(pid);
      queue.push(pid);
    }
  }
  return found;
}

function readProcessTable(): [number, number][] {
  try {
    const output = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8", timeout: 2_000 });
    return output
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter((pair): pair is [number, number] => pair.length === 2);
  } catch {
    return [];
  }
}

function endWindowsTree(pid: number): void {
  try {
    execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", timeout: 5_000 });
  } catch {
    // It ended by itself in the meantime.
  }
}

function markedOnLinux(entry: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(entry);
      } catch {
        // Somebody else's process, or one that has just ended.
        return false;
      }
    })
    .map(Number);
}

function markedByPs(entry: string): number[] {
  if (process.platform === "win32") return [];
  try {
    const options = { encoding: "utf8", timeout: 2_000, maxBuffer: 64 * 1024 * 1024 } as const;
    return execFileSync("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], options)
      .split("\n")
      .filter((line) => line.split(" ").includes(entry))
      .map((line) => Number.parseInt(line, 10));
  } catch {
    return [];
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
