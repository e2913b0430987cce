/**
 * `npm run measure`: walks through every screen in windows of four sizes and at 200 % zoom, without the conversation
 * and with it, and says which text and which control has too little room there. Ends with 1 when there is any. Needs a
 * build and a Chromium. `npm run measure -- 640x480` looks at one size alone. With `PATCHBAY_PICTURES=1` each screen is also photographed into the ignored folder `pictures`.
 */
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { type RoomFault, roomFaults } from "../support/room.ts";
import type { InEveryWindow } from "./studio.ts";
import { walkScreens } from "./walk.ts";

interface Window {
  width: number;
  height: number;
  zoom: number;
}
const wanted = process.argv[2];
const windows = [
  { width: 640, height: 480, zoom: 1 },
  { width: 640, height: 400, zoom: 2 },
  { width: 1000, height: 700, zoom: 1 },
  { width: 1280, height: 800, zoom: 1 },
  { width: 1920, height: 1080, zoom: 1 },
].filter(({ width, height }) => wanted === undefined || wanted === `${width}x${height}`) satisfies Window[];
const pictures = process.env.PATCHBAY_PICTURES
  ? join(import.meta.dirname, "..", "..", "pictures")
  : undefined;

const found = new Map<string, Set<string>>();
let looked = 0;

function note(screen: string, window: string, faults: RoomFault[]): void {
  looked += 1;
  for (const { kind, what, where } of faults) {
    const fault = `${kind}: ${what}\n    in ${where}`;
    const places = found.get(fault) ?? new Set();
    places.add(`${screen} at ${window}`);
    found.set(fault, places);
  }
}

function studio(browser: Browser): InEveryWindow {
  return async (core, take) => {
    // Below that width the conversation stands in the page's place, which the walk comes to as well.
    for (const { width, height, zoom } of windows)
      for (const conversation of width < 896 ? [false] : [false, true]) {
        const context = await browser.newContext({
          viewport: { width, height },
          deviceScaleFactor: zoom,
          reducedMotion: "reduce",
        });
        await context.addInitScript((open) => {
          localStorage.setItem("patchbay.conversation", open ? "open" : "closed");
        }, conversation);
        const page = await context.newPage();
        page.setDefaultTimeout(45_000);
        await core.openIn(page, await core.freshLink());
        const name = `${width} × ${height}${zoom === 1 ? "" : ", zoomed"}${conversation ? ", conversation" : ""}`;
        const walked = take(page, async (screen) => {
          note(screen, name, await roomFaults(page));
          if (pictures)
            await page.screenshot({
              path: join(pictures, `room-${screen}-${name.replace(/[^a-z0-9]+/g, "-")}.png`),
            });
        });
        await walked.catch(async (error: Error) => {
          note("walk", name, [
            {
              kind: "no way",
              what: error.message.slice(0, 300),
              where: error.stack?.match(/screens\/\w+\.ts:\d+/)?.[0] ?? "",
            },
          ]);
          if (pictures) await page.screenshot({ path: join(pictures, `room-stuck-${found.size}.png`) });
        });
        await context.close();
      }
  };
}

await walkScreens(studio);
for (const [fault, places] of [...found].sort(([a], [b]) => a.localeCompare(b)))
  console.log(
    `${fault}\n    on ${[...places].slice(0, 6).join("; ")}${places.size > 6 ? ` and ${places.size - 6} more` : ""}`,
  );
console.log(`${looked} screens looked at, ${found.size} faults.`);
process.exitCode = found.size === 0 ? 0 : 1;
