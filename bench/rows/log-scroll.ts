import { setTimeout as pause } from "node:timers/promises";
import { serve } from "../browser/served.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";
import { percentile } from "../stats.ts";

const lines = 10_000;
const perSecond = 200;
const goalMs = 50;

/** A full log: scrolled without a pause, also while lines come, and followed at its end. */
export const logScroll: Row = {
  id: "log-scroll",
  async run({ quick, log }) {
    await using core = await Core.open(["bench-reporter"]);
    await core.agent("a", ["bench-reporter"]);
    await core.client.app.updateSettings({ welcomeClosed: true });
    log(`writing ${lines.toLocaleString("en")} lines …`);
    // The fastest rate at which the core keeps every line; beyond it, lines are dropped.
    await core.call("a", "report__lines", { perSecond: 2_000, count: lines });
    await using served = await serve(core);
    await using window = await Window.open();
    const { page } = window;
    await page.goto(served.link());
    await page.getByRole("navigation").waitFor();
    await page.evaluate('location.hash = "#/agents/a/plugins/bench-reporter/activity"');
    await page.getByText(`line ${lines}:`).waitFor();
    await page.getByRole("log").hover();
    const seconds = quick ? 2 : 6;
    const write = () => core.call("a", "report__lines", { perSecond, count: perSecond * seconds });
    const trace = await window.trace(async () => {
      await Promise.all([write(), scroll(window, seconds)]);
      await page.getByRole("button", { name: "Go to the end" }).click();
      await write();
    });
    await page.getByText(`line ${perSecond * seconds}:`).waitFor();
    const tasks = trace.tasks();
    const longest = Math.max(...tasks.map(({ ms }) => ms));
    const busy = tasks.reduce((sum, { ms }) => sum + ms, 0) / (seconds * 2000);
    return [
      {
        row: "log-scroll",
        what: `Longest frame of a log of ${lines.toLocaleString("en")} lines, ${perSecond} more a second, scrolled and followed`,
        value: longest,
        unit: "ms",
        baseline: null,
        goal: `≤ ${goalMs} ms`,
        met: longest <= goalMs,
        notes: {
          p99: percentile(
            tasks.map(({ ms }) => ms),
            0.99,
          ),
          longestCpu: Math.max(...tasks.map(({ cpuMs }) => cpuMs)),
          busyPercent: busy * 100,
        },
      },
    ];
  },
};

/**
 * Scrolls from the end far up and down again for some seconds. It stops short of the end, where the list would follow
 * new lines.
 */
async function scroll({ page }: Window, seconds: number): Promise<void> {
  const until = performance.now() + seconds * 1000;
  await page.mouse.wheel(0, -20_000);
  for (let step = 0; performance.now() < until; step += 1) {
    await page.mouse.wheel(0, step % 40 < 20 ? -600 : 500);
    await pause(50);
  }
}
