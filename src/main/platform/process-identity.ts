import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Enough to tell a process from a later one that was given the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in whatever the machine counts in; null where that is not cheap to know. */
  started: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: process.platform === "linux" ? linuxStart(process.pid) : null };
}

/**
 * Whether that very process still runs.
 *
 * @param seenAt milliseconds since the epoch at which it certainly ran: a process that started later is another one
 */
export function isAlive(identity: ProcessIdentity, seenAt: number): boolean {
  if (!hasPid(identity.pid)) return false;
  if (process.platform === "linux") {
    const started = linuxStart(identity.pid);
    return started !== null && (identity.started === null || started === identity.started);
  }
  const started = identity.pid === process.pid ? null : startTime(identity.pid);
  return started === null || started <= seenAt + 2_000;
}

function hasPid(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but as somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Boot id and start in clock ticks since boot; null when the process is gone or only waits to be reaped. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    if (state === "Z" || state === "X") return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** Milliseconds since the epoch, asked from the system's own tools; null when they do not say. */
function startTime(pid: number): number | null {
  try {
    const text =
      process.platform === "win32"
        ? execFileSync(
            "powershell.exe",
            ["-NoProfile", "-Command", `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`],
            { encoding: "utf8", timeout: 5_000, windowsHide: true },
          )
        : execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
            encoding: "utf8",
            timeout: 5_000,
            env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" },
          });
    const time = Date.parse(text.trim());
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
}
