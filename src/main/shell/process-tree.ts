import { execFileSync } from "node:child_process";

/**
 * Ends a process and everything it started, with SIGKILL. A utility process of Electron leads no process group, so its
 * descendants are looked up; they must be found before it dies, because orphans lose their parent's id.
 */
export function killTree(pid: number): void {
  if (process.platform === "win32") {
    endWindowsTree(pid);
    return;
  }
  for (const each of [...descendants(pid, readProcessTable()), pid]) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  }
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
