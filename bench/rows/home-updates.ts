import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentPluginState } from "../../src/contract/index.ts";
import { type Served, serve } from "../browser/served.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import { fillHome } from "../core/full-home.ts";
import type { Row } from "../row.ts";
import { percentile } from "../stats.ts";

const plugins = 500;
const perSecond = 1_000;
const tickMs = 10;
const goalMs = 50;

/** The home screen with many plugins that all report without a pause, while the person scrolls. */
export const homeUpdates: Row = {
  id: "home-updates",
  async run({ quick }) {
    const home = await mkdtemp(join(tmpdir(), "patchbay-bench-"));
    try {
      await fillHome(home, { plugins, agents: 1 });
      await using core = await Core.open([], { home });
      await core.client.app.updateSettings({ welcomeClosed: true });
      const agents = await core.client.agents.list();
      const views = await Promise.all(agents.map(({ id }) => core.client.agentPlugins.list({ agentId: id })));
      const rows = (views.find((list) => list.length >= plugins) ?? []).map(running);
      const agentId = rows[0]?.agentId ?? "";
      await using served = await serve(core, rows);
      await using window = await Window.open();
      const { page } = window;
      await page.goto(served.link());
      await page.evaluate(`location.hash = "#/agents/${agentId}/plugins"`);
      await page.getByRole("article").first().waitFor();
      const seconds = quick ? 3 : 10;
      await update(served, rows, 1, 0);
      const trace = await window.trace(async () => {
        await Promise.all([update(served, rows, seconds, rows.length), scroll(window, seconds)]);
      });
      const tasks = trace.tasks().map((task) => task.ms);
      const longest = Math.max(...tasks);
      const busy = tasks.reduce((sum, ms) => sum + ms, 0) / (seconds * 1000);
      return [
        {
          row: "home-updates",
          what: `Longest frame of home, ${plugins} plugins, ${perSecond.toLocaleString("en")} updates/s for ${seconds} s, scrolling`,
          value: longest,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goalMs} ms`,
          met: longest <= goalMs,
          notes: { p99: percentile(tasks, 0.99), busyPercent: busy * 100 },
        },
      ];
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

function running(view: AgentPluginState): AgentPluginState {
  return { ...view, instance: { ...view.instance, state: "running", startsOnUse: false } };
}

/** Reports of all plugins in turn, spread evenly over `seconds`. */
async function update(served: Served, rows: readonly AgentPluginState[], seconds: number, from: number) {
  const begin = performance.now();
  let sent = 0;
  for (let now = 0; now < seconds * 1000; now = performance.now() - begin) {
    for (; sent < (now / 1000) * perSecond; sent += 1) {
      const row = rows[sent % rows.length];
      if (row) served.show({ ...row, runtimeState: { count: from + sent } });
    }
    await pause(tickMs);
  }
}

async function scroll({ page }: Window, seconds: number): Promise<void> {
  await page.mouse.move(700, 500);
  const until = performance.now() + seconds * 1000;
  for (let step = 0; performance.now() < until; step += 1) {
    await page.mouse.wheel(0, step % 40 < 20 ? 240 : -240);
    await pause(100);
  }
}
