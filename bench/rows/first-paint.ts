import { serve } from "../browser/served.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";
import { median } from "../stats.ts";

const goalMs = 400;

/** From the navigation to the first text on the screen, with nothing in the browser's cache. */
export const firstPaint: Row = {
  id: "first-paint",
  async run({ quick }) {
    await using core = await Core.open([]);
    await using served = await serve(core);
    const samples: number[] = [];
    const usable: number[] = [];
    for (let round = 0; round < (quick ? 3 : 9) + 1; round += 1) {
      await using window = await Window.open();
      const trace = await window.trace(async () => {
        await window.page.goto(served.link);
        await window.page.getByRole("navigation").waitFor();
        usable.push(await window.page.evaluate<number>("performance.now()"));
        // What has been laid out is on the screen when the frame after the next begins.
        await window.page.evaluate(
          "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))",
        );
      });
      // The first round fills the file system's cache.
      if (round > 0) samples.push(trace.firstContentfulPaint());
    }
    const value = median(samples);
    return [
      {
        row: "first-paint",
        what: "First paint of the built screens in Chromium, p50",
        value,
        unit: "ms",
        baseline: null,
        goal: `≤ ${goalMs} ms`,
        met: value <= goalMs,
        notes: { longest: Math.max(...samples), homeUsableMs: median(usable) },
      },
    ];
  },
};
