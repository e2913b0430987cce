import { Core } from "../core/core.ts";
import { BareFork } from "../peers.ts";
import type { Row } from "../row.ts";
import { median, percentile, timed } from "../stats.ts";

/** Switching a plugin on until it runs, beside a bare fork until its first message; and switching it off. */
export const enable: Row = {
  id: "enable",
  async run({ quick }) {
    await using core = await Core.open(["bench-echo"]);
    await core.agent("a", []);
    const set = (enabled: boolean) =>
      core.client.agentPlugins.set({ agentId: "a", key: "bench-echo", enabled });
    const samples = { on: [] as number[], off: [] as number[], bare: [] as number[] };
    const warmup = 3;
    const rounds = warmup + (quick ? 10 : 60);
    for (let round = 0; round < rounds; round += 1) {
      const on = await timed(async () => expectState(await set(true), "running"));
      const off = await timed(async () => expectState(await set(false), "stopped"));
      const begin = performance.now();
      await using _bare = await BareFork.start();
      const bare = performance.now() - begin;
      if (round < warmup) continue;
      samples.on.push(on);
      samples.off.push(off);
      samples.bare.push(bare);
    }
    const on = median(samples.on);
    const off = median(samples.off);
    const bare = median(samples.bare);
    return [
      {
        row: "enable",
        what: "enable → running, native plugin, p50",
        value: on,
        unit: "ms",
        baseline: { what: "bare fork → first message, p50", value: bare },
        goal: "≤ 150 ms and ≤ 3 × a bare fork",
        met: on <= 150 && on <= 3 * bare,
        notes: { p95: percentile(samples.on, 0.95) },
      },
      {
        row: "disable",
        what: "disable → stopped, p50",
        value: off,
        unit: "ms",
        baseline: null,
        goal: "≤ 50 ms",
        met: off <= 50,
        notes: { p95: percentile(samples.off, 0.95) },
      },
    ];
  },
};

function expectState({ instance }: { instance: { state: string } }, state: string): void {
  if (instance.state !== state) throw new Error(`The plugin is ${instance.state}, not ${state}.`);
}
