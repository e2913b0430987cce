import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "../browser/served.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import { fillHome } from "../core/full-home.ts";
import type { Row } from "../row.ts";
import { percentile } from "../stats.ts";

const size = { plugins: 500, agents: 20 };
const goalMs = 50;

/** The matrix of many plugins and agents, scrolled both ways without a pause. */
export const matrixScroll: Row = {
  id: "matrix-scroll",
  async run({ quick }) {
    const home = await mkdtemp(join(tmpdir(), "patchbay-bench-"));
    try {
      await fillHome(home, size);
      await using core = await Core.open([], { home });
      await core.client.app.updateSettings({ welcomeClosed: true });
      await using served = await serve(core);
      await using window = await Window.open();
      const { page } = window;
      await page.goto(served.link());
      await page.getByRole("link", { name: "Matrix" }).click();
      await page.getByRole("gridcell").first().waitFor();
      await page.mouse.move(800, 500);
      const steps = quick ? 30 : 100;
      const trace = await window.trace(async () => {
        for (let step = 0; step < steps; step += 1) {
          const back = step % 40 >= 20 ? -1 : 1;
          await page.mouse.wheel(step % 3 === 0 ? 300 * back : 0, 400 * back);
          await pause(50);
        }
      });
      const tasks = trace.tasks();
      const longest = Math.max(...tasks.map((task) => task.ms));
      return [
        {
          row: "matrix-scroll",
          what: `Longest frame of the matrix, ${size.plugins} plugins × ${size.agents} agents, scrolling`,
          value: longest,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goalMs} ms`,
          met: longest <= goalMs,
          notes: {
            p99: percentile(
              tasks.map((task) => task.ms),
              0.99,
            ),
            longestCpu: Math.max(...tasks.map((task) => task.cpuMs)),
          },
        },
      ];
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
