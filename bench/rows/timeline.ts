import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { serve } from "../browser/served.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import { appendLongTurn } from "../core/long-turn.ts";
import type { Result, Row } from "../row.ts";
import { median, percentile, timed } from "../stats.ts";

const events = 10_000;
const goals = { openMs: 1_000, frameMs: 32 };

/** The timeline of a turn with ten thousand events: opened, and scrolled and zoomed without a pause. */
export const timeline: Row = {
  id: "timeline",
  async run({ quick }) {
    const home = await mkdtemp(join(tmpdir(), "patchbay-bench-"));
    try {
      await recordTurns(home);
      await using core = await Core.open([], { home });
      await core.client.app.updateSettings({ welcomeClosed: true });
      await using served = await serve(core);
      await using window = await Window.open();
      const { page } = window;
      await page.goto(served.link());
      const opened: number[] = [];
      for (let round = 0; round < (quick ? 2 : 7); round += 1) {
        await page.getByRole("link", { name: "Plugins", exact: true }).click();
        await page.getByRole("heading", { name: "Plugins", exact: true }).waitFor();
        opened.push(
          await timed(async () => {
            await page.getByRole("link", { name: "Debug" }).click();
            await page.getByRole("treeitem", { name: "bench.echo" }).first().waitFor();
          }),
        );
      }
      const open = median(opened);
      const trace = await window.trace(() => lookAround(page, quick ? 30 : 120));
      const tasks = trace.tasks();
      const longest = Math.max(...tasks.map(({ ms }) => ms));
      const count = events.toLocaleString("en");
      const results: Result[] = [
        {
          row: "timeline-open",
          what: `From Debug to the rows of a turn of ${count} events, p50`,
          value: open,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goals.openMs} ms`,
          met: open <= goals.openMs,
          notes: { first: opened[0] ?? 0, longest: Math.max(...opened) },
        },
        {
          row: "timeline-scroll",
          what: "Longest frame of that timeline, scrolled and zoomed",
          value: longest,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goals.frameMs} ms`,
          met: longest <= goals.frameMs,
          notes: {
            p99: percentile(
              tasks.map(({ ms }) => ms),
              0.99,
            ),
            longestCpu: Math.max(...tasks.map(({ cpuMs }) => cpuMs)),
          },
        },
      ];
      return results;
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

/** A home with one agent, whose conversation has a turn that ran and the long one behind it. */
async function recordTurns(home: string): Promise<void> {
  await using core = await Core.open(["bench-echo", "bench-veto"], { home });
  await core.agent("a", ["bench-echo", "bench-veto"]);
  const file = join(home, "script.json");
  await writeFile(file, JSON.stringify([{ say: "Done." }]));
  const { revision } = await core.client.agents.get({ agentId: "a" });
  await core.client.agents.update({ agentId: "a", revision, model: { kind: "scripted", file } });
  const { id: sessionId } = await core.client.sessions.create({ agentId: "a" });
  const turn = await core.client.sessions.prompt({ agentId: "a", sessionId, text: "A short turn" });
  for await (const event of turn) if (event.type === "turn_ended") break;
  await core.closeApp();
  await appendLongTurn(home, "a", events);
}

/** Scrolls far down and up again, and zooms in and out meanwhile. */
async function lookAround(page: Page, steps: number): Promise<void> {
  const tree = page.getByRole("tree");
  await tree.hover();
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, step % 40 < 25 ? 700 : -600);
    if (step % 10 === 9) {
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, step % 20 === 9 ? -200 : 200);
      await page.keyboard.up("Control");
    }
    await pause(50);
  }
}
