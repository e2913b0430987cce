import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Core } from "../core/core.ts";
import { BareFork } from "../peers.ts";
import type { Result, Row } from "../row.ts";
import { median } from "../stats.ts";

/** Resident memory of a native host beside a bare fork, after the same number of calls; and what 10,000 more add. */
export const memory: Row = {
  id: "memory",
  async run({ quick }) {
    // Long enough for both heaps to have found their size.
    const before = quick ? 2000 : 10_000;
    const more = quick ? 3000 : 10_000;
    await using core = await Core.open(["bench-echo"]);
    await core.agent("a", ["bench-echo"]);
    await using bare = await BareFork.start();
    const pids = { host: await core.pid("a", "bench-echo"), bare: bare.process.pid ?? 0 };
    const fresh = { host: await settled(pids.host), bare: await settled(pids.bare) };
    const both = async (calls: number) => {
      for (let call = 0; call < calls; call += 1) {
        await bare.call({ id: call, text: "memory" });
        await core.call("a", "bench__echo", { text: "memory" });
      }
      return { host: await settled(pids.host), bare: await settled(pids.bare) };
    };
    const warm = await both(before);
    const late = await both(more);
    const over = fresh.host - fresh.bare;
    const growth = late.host - warm.host;
    const ownGrowth = late.bare - warm.bare;
    const results: Result[] = [
      {
        row: "memory",
        what: "memory of a native host after its start",
        value: fresh.host,
        unit: "MB",
        baseline: { what: "bare fork", value: fresh.bare },
        goal: "≤ 15 MB over a bare fork",
        met: over <= 15,
        notes: { over, [`after ${before} calls`]: warm.host, [`bare fork after ${before} calls`]: warm.bare },
      },
      {
        row: "memory-growth",
        what: `growth of a native host over ${more.toLocaleString("en")} tool calls, after ${before.toLocaleString("en")}`,
        value: growth,
        unit: "MB",
        baseline: { what: "bare fork, as many round trips", value: ownGrowth },
        goal: "none beyond a bare fork's own (within 1 MB)",
        met: growth - Math.max(0, ownGrowth) <= 1,
        notes: { before: warm.host, after: late.host },
      },
    ];
    return results;
  },
};

/** Resident memory in MB once nothing is going on: the median of a second. */
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
