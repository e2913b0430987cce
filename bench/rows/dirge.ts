import { Core } from "../core/core.ts";
import { BareFork } from "../peers.ts";
import type { Row } from "../row.ts";
import { median, percentile, timed } from "../stats.ts";

/** A plugin of dirge switched on until it runs, beside a bare fork; and a call of its tool, which its own hook checks first. */
export const dirge: Row = {
  id: "dirge",
  async run({ quick }) {
    await using core = await Core.open(["bench-dirge"]);
    await core.agent("a", []);
    const set = (enabled: boolean) =>
      core.client.agentPlugins.set({ agentId: "a", key: "bench-dirge", enabled });
    const samples = { on: [] as number[], bare: [] as number[], call: [] as number[] };
    const warmup = 3;
    for (let round = 0; round < warmup + (quick ? 10 : 60); round += 1) {
      const on = await timed(async () => {
        const { instance } = await set(true);
        if (instance.state !== "running") throw new Error(`The plugin is ${instance.state}.`);
      });
      await set(false);
      const begin = performance.now();
      await using _bare = await BareFork.start();
      const bare = performance.now() - begin;
      if (round < warmup) continue;
      samples.on.push(on);
      samples.bare.push(bare);
    }
    await set(true);
    const calls = quick ? 300 : 3_000;
    for (let round = -100; round < calls; round += 1) {
      const ms = await timed(() => core.call("a", "bench-dirge__echo", { text: "hello" }));
      if (round >= 0) samples.call.push(ms);
    }
    const [on, bare, call] = [median(samples.on), median(samples.bare), median(samples.call)];
    return [
      {
        row: "dirge-enable",
        what: "enable → running, dirge plugin, p50",
        value: on,
        unit: "ms",
        baseline: { what: "bare fork → first message, p50", value: bare },
        goal: "≤ 4 × a bare fork",
        met: on <= 4 * bare,
        notes: { p95: percentile(samples.on, 0.95) },
      },
      {
        row: "dirge-call",
        what: "dirge tool call with a check of its own before it, whole pipeline, p50",
        value: call,
        unit: "ms",
        baseline: null,
        goal: "≤ 2 ms",
        met: call <= 2,
        notes: { p95: percentile(samples.call, 0.95) },
      },
    ];
  },
};
