import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Core } from "../core/core.ts";
import { BareFork } from "../peers.ts";
import type { Result, Row } from "../row.ts";
import { median } from "../stats.ts";

/** Ten thousand calls that each leave ten bytes behind would grow by this much, in MB. */
const growthMb = 0.1;
const calls = 10_000;

/**
 * Resident memory of a native host compared with a bare fork, after the start; and how much memory ten thousand tool
 * calls leave in use. The second is measured after a garbage collection: resident memory also grows while a heap finds
 * its size (in a bare fork as well), which could hide a leak or look like one.
 */
export const memory: Row = {
  id: "memory",
  async run() {
    await using core = await Core.open(["bench-echo"]);
    await core.agent("a", ["bench-echo"]);
    await using bare = await BareFork.start();
    const pids = { host: innermost(await core.pid("a", "bench-echo")), bare: bare.process.pid ?? 0 };
    const fresh = { host: await settled(pids.host), bare: await settled(pids.bare) };
    const both = async (count: number) => {
      for (let call = 0; call < count; call += 1) {
        await bare.call({ id: call, text: "memory" });
        await core.call("a", "bench__echo", { text: "memory" });
      }
      const resident = { host: await settled(pids.host), bare: await settled(pids.bare) };
      return { ...resident, live: Number(await core.call("a", "bench__live", {})) / 1024 ** 2 };
    };
    // The first calls compile code and fill caches; their growth is not counted.
    const warm = await both(1_000);
    const late = await both(calls);
    const over = fresh.host - fresh.bare;
    const growth = late.live - warm.live;
    const results: Result[] = [
      {
        row: "memory",
        what: "memory of a native host after its start",
        value: fresh.host,
        unit: "MB",
        baseline: { what: "bare fork", value: fresh.bare },
        goal: "≤ 15 MB over a bare fork",
        met: over <= 15,
        notes: { over },
      },
      {
        row: "memory-growth",
        what: `growth of a native host over ${calls.toLocaleString("en")} tool calls, memory in use`,
        value: growth,
        unit: "MB",
        baseline: null,
        goal: `none (≤ ${growthMb} MB, ten bytes a call)`,
        met: growth <= growthMb,
        notes: {
          inUseBefore: warm.live,
          inUseAfter: late.live,
          residentBefore: warm.host,
          residentAfter: late.host,
          bareResidentBefore: warm.bare,
          bareResidentAfter: late.bare,
        },
      },
    ];
    return results;
  },
};

/** The process that runs the plugin: the pool knows what walls it, and that has it as its only child's only child. */
function innermost(pid: number): number {
  if (process.platform !== "linux") return pid;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return /^\d+$/.test(children) ? innermost(Number(children)) : pid;
}

/** Resident memory in MB of an idle process: the median over one second. */
async function settled(pid: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < 5; sample += 1) {
    await pause(200);
    samples.push(residentMb(pid));
  }
  return median(samples);
}

function residentMb(pid: number): number {
  if (process.platform === "linux") {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) / 1024;
  }
  if (process.platform === "win32") {
    const script = `(Get-Process -Id ${pid}).WorkingSet64`;
    return (
      Number(execFileSync("powershell", ["-NoProfile", "-Command", script], { encoding: "utf8" })) / 1024 ** 2
    );
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}
