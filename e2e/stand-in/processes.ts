import { execFileSync } from "node:child_process";
import { descendants } from "../../src/main/platform/process-tree.ts";

/** The process and everything below it. */
export function family(pid: number): number[] {
  const table = list().map(({ pid: each, parent }): [number, number] => [each, parent]);
  return [pid, ...descendants(pid, table)];
}

/** Which of these still run. One that has ended but that nobody has collected yet does not count. */
export function running(pids: number[]): number[] {
  return list()
    .filter(({ pid, state }) => pids.includes(pid) && !state.startsWith("Z"))
    .map(({ pid }) => pid);
}

function list(): { pid: number; parent: number; state: string }[] {
  const windows = process.platform === "win32";
  const output = windows
    ? execFileSync("powershell", ["-NoProfile", "-Command", windowsList], { encoding: "utf8" })
    : execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return output
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, state] = line.trim().split(/\s+/);
      return { pid: Number(pid), parent: Number(parent), state: state ?? "" };
    });
}

const windowsList =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) running" }';
