import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Enough to tell a process from a later one that was given the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, as text in a unit of the system (to be compared for equality only); null where asking is slow. */
  started: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: process.platform === "linux" ? linuxStart(process.pid) : null };
}

/**
 * Whether the process of this identity still runs; false when its pid now belongs to another one.
 *
 * @param seenAt a time in milliseconds since 1970 at which it certainly ran: a process with this pid that started later
 * is another one
 */
export function isAlive(identity: ProcessIdentity, seenAt: number): boolean {
  if (!hasPid(identity.pid)) return false;
  if (process.platform === "linux") {
    const started = linuxStart(identity.pid);
    return started !== null && (identity.started === null || started === identity.started);
  }
  const started = identity.pid === process.pid ? null : startTime(identity.pid);
  // The system's tools give the start in whole seconds, so up to two seconds of difference still count as the same.
  return started === null || started <= seenAt + 2_000;
}

function hasPid(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Boot id and start in clock ticks since boot; null when the process is gone or only waits to be reaped. */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in parentheses. The name may itself contain spaces and parentheses, so the fields
    // are counted from the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    if (state === "Z" || state === "X") return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** Start time of a process in milliseconds since 1970, asked from the system's own tools; null when they give none. */
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
