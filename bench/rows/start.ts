import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillHome } from "../core/full-home.ts";
import { coreBundle } from "../core/paths.ts";
import type { Row } from "../row.ts";
import { median } from "../stats.ts";

const plugins = 200;
const agents = 50;

/**
 * Start of the core until its gateway answers: a home with many plugins for many agents, compared with an empty one.
 */
export const start: Row = {
  id: "start",
  async run({ quick, log }) {
    const full = await mkdtemp(join(tmpdir(), "patchbay-bench-full-"));
    const empty = await mkdtemp(join(tmpdir(), "patchbay-bench-empty-"));
    try {
      log(`filling a home with ${plugins} plugins × ${agents} agents …`);
      await fillHome(full, { plugins, agents });
      const samples = {
        full: [] as number[],
        empty: [] as number[],
        load: [] as number[],
        moreCpu: [] as number[],
      };
      const rounds = quick ? 5 : 20;
      for (let round = -1; round < rounds; round += 1) {
        const started = { full: await startIn(full), empty: await startIn(empty) };
        if (round < 0) continue;
        samples.full.push(started.full.startMs);
        samples.empty.push(started.empty.startMs);
        samples.load.push(started.empty.loadMs);
        samples.moreCpu.push(started.full.cpuMs - started.empty.cpuMs);
      }
      const more = median(samples.full) - median(samples.empty);
      return [
        {
          row: "start",
          what: `start of the core, ${plugins} plugins × ${agents} agents installed, none running, p50`,
          value: median(samples.full),
          unit: "ms",
          baseline: { what: "the same with none, p50", value: median(samples.empty) },
          goal: "≤ 150 ms more than with none",
          met: more <= 150,
          notes: { more, moreProcessorTime: median(samples.moreCpu), loadingTheCode: median(samples.load) },
        },
      ];
    } finally {
      await rm(full, { recursive: true, force: true });
      await rm(empty, { recursive: true, force: true });
    }
  },
};

async function startIn(home: string): Promise<{ startMs: number; loadMs: number; cpuMs: number }> {
  const child = fork(join(import.meta.dirname, "../children/core-start.mjs"), [coreBundle, home], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const [message] = await once(child, "message");
  await exited;
  return message;
}
