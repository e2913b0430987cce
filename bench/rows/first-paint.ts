import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../browser/served.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import { root } from "../core/paths.ts";
import type { Result, Row } from "../row.ts";
import { median } from "../stats.ts";

const goalMs = 400;
/** People begin to find a page slow at about one second; 800 ms leave room for machines slower than this one. */
const usefulGoalRatio = 1.8;

/**
 * Notes when the first frame that holds home itself, with a plugin's card, has been drawn. Until then the page shows the
 * empty frame that `index.html` brings along.
 */
const noteUseful = `
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector("nav") || !document.querySelector("article")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { globalThis.usefulAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });`;

/** From the navigation to the first thing on the screen, and to the first useful one, with nothing in the browser's cache. */
export const firstPaint: Row = {
  id: "first-paint",
  async run({ quick }) {
    await using core = await Core.open(["bench-echo"]);
    await core.client.app.updateSettings({ welcomeClosed: true });
    await using served = await serve(core);
    const samples: number[] = [];
    const useful: number[] = [];
    let scripts: Script[] = [];
    for (let round = 0; round < (quick ? 3 : 9) + 1; round += 1) {
      await using window = await Window.open();
      const { page } = window;
      await page.addInitScript({ content: noteUseful });
      // Recording makes Chromium draw each frame when it is due; a page that is not observed may delay its first one.
      await window.trace(async () => {
        await page.goto(served.link());
        await page.getByRole("article").first().waitFor();
        // After the layout, two frames are awaited: when the second begins, the first is on the screen.
        await page.evaluate(
          "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))",
        );
      });
      // The first round only fills the file system's cache.
      if (round === 0) continue;
      samples.push(await page.evaluate<number>(firstContentfulPaint));
      useful.push(await page.evaluate<number>("globalThis.usefulAt"));
      scripts = await page.evaluate<Script[]>(loadedScripts);
    }
    const value = median(samples);
    const usefulMs = median(useful);
    const early = scripts.filter(({ name }) => isOnDemand(name));
    const results: Result[] = [
      {
        row: "first-paint",
        what: "First paint of the built screens in Chromium, p50",
        value,
        unit: "ms",
        baseline: null,
        goal: `≤ ${goalMs} ms`,
        met: value <= goalMs,
        notes: { longest: Math.max(...samples) },
      },
      {
        row: "first-paint-useful",
        what: "First paint of home itself, with its plugins, p50",
        value: usefulMs,
        unit: "ms",
        baseline: { what: "first paint, p50", value },
        goal: `≤ ${usefulGoalRatio} × the first paint`,
        met: usefulMs <= usefulGoalRatio * value,
        notes: { longest: Math.max(...useful) },
      },
      {
        row: "bundle-split",
        what: "Scripts that home reads",
        value: scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 ** 2,
        unit: "MB",
        baseline: null,
        goal: "neither the editor nor Debug among them",
        met: scripts.length > 0 && early.length === 0,
        notes: { files: scripts.length, early: early.map(({ name }) => name).join(" ") || "none" },
      },
    ];
    return results;
  },
};

interface Script {
  name: string;
  bytes: number;
}

/** The time of Chromium's own entry; its trace uses the same moment. */
const firstContentfulPaint = `performance.getEntriesByName("first-contentful-paint")[0].startTime`;

const loadedScripts = `performance.getEntriesByType("resource")
  .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
  .map(({ name, decodedBodySize }) => ({ name: new URL(name).pathname.split("/").at(-1), bytes: decodedBodySize }))`;

/** Whether a script should be loaded only when somebody opens the JSON view or Debug. */
function isOnDemand(name: string): boolean {
  if (/^debug/i.test(name)) return true;
  return readFileSync(join(root, "out/renderer/assets", name), "utf8").includes("cm-content");
}
