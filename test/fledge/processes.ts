import { readdirSync, readFileSync } from "node:fs";

/** Whether a process still runs; a zombie does not. The state is read from /proc on Linux. */
export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  if (state !== null) return state !== "Z" && state !== "X";
  if (process.platform === "linux") return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Children of this process that have ended and were not waited for. */
export function zombies(): number[] {
  return ids("/proc").filter((pid) => parentOf(pid) === process.pid && stateOf(pid) === "Z");
}

/** Processes that were given a plugin's folder, whoever started them and whatever group they are in. Linux only. */
export function processesOf(pluginDir: string): number[] {
  return ids("/proc").filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      return environment.includes(`FLEDGE_PLUGIN_DIR=${pluginDir}`);
    } catch {
      return false;
    }
  });
}

/** Processes in whose command line this text stands, behind whatever wall they run. Linux only. */
export function processesWith(text: string): number[] {
  return ids("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(text) && isRunning(pid);
    } catch {
      return false;
    }
  });
}

export function openDescriptors(): number {
  return ids("/proc/self/fd").length;
}

function ids(folder: string): number[] {
  return readdirSync(folder).map(Number).filter(Number.isInteger);
}

function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function stateOf(pid: number): string | null {
  return fieldsOf(pid)[0] ?? null;
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1]);
}
