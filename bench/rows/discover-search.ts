import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { serve } from "../browser/served.ts";
import type { Task, Trace } from "../browser/trace.ts";
import { Window } from "../browser/window.ts";
import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";
import { median, percentile } from "../stats.ts";

const listed = 10_000;
const goalMs = 16;
/**
 * Milliseconds after a key press that count as caused by it: long enough for all its work, and over before the next
 * key.
 */
const windowMs = 150;
// Longer than `windowMs`, so that the work of two keys never mixes.
const betweenKeysMs = 200;
const words = ["letters 77", "git", "disk tidy 9", "calendar", "of what you", "e"];

/** Typing into Discover over ten thousand plugins: what one key press costs the page, drawing included. */
export const discoverSearch: Row = {
  id: "discover-search",
  async run({ quick }) {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name: "Bench", plugins: Array.from({ length: listed }, listedPlugin) }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      await using core = await Core.open([]);
      await core.client.app.updateSettings({
        catalogUrls: [`http://127.0.0.1:${port}/`],
        registry: `http://127.0.0.1:${port}/nothing/`,
        welcomeClosed: true,
      });
      await using served = await serve(core);
      await using window = await Window.open();
      const { page } = window;
      await page.goto(served.link());
      await page.getByRole("link", { name: "Discover", exact: true }).click();
      // The list has these and the plugins that come with Patchbay.
      const { entries } = await core.client.catalog.search({ query: "", scope: "catalogues" });
      if (entries.length < listed) throw new Error(`The catalogues list only ${entries.length} plugins.`);
      await page.getByText(entries.length.toLocaleString("en")).first().waitFor();
      const type = async (text: string) => {
        for (const key of text) {
          await page.keyboard.press(key === " " ? "Space" : key);
          await pause(betweenKeysMs);
        }
        for (const _ of text) {
          await page.keyboard.press("Backspace");
          await pause(betweenKeysMs);
        }
      };
      await type("warm up");
      const trace = await window.trace(async () => {
        for (const word of quick ? words.slice(0, 2) : words) await type(word);
      });
      const keys = tasksOfKeys(trace);
      const costs = keys.map((tasks) => Math.max(...tasks.map((task) => task.ms)));
      const cpu = keys.map((tasks) => Math.max(...tasks.map((task) => task.cpuMs)));
      const all = keys.map((tasks) => tasks.reduce((sum, task) => sum + task.cpuMs, 0));
      const p95 = percentile(costs, 0.95);
      return [
        {
          row: "discover-search",
          what: `Longest work of a key press in Discover over ${listed.toLocaleString("en")} plugins, p95`,
          value: p95,
          unit: "ms",
          baseline: null,
          goal: `≤ ${goalMs} ms`,
          met: p95 <= goalMs,
          notes: {
            p50: median(costs),
            longest: Math.max(...costs),
            cpuP95: percentile(cpu, 0.95),
            allWorkP95: percentile(all, 0.95),
            keys: costs.length,
          },
        },
      ];
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};

/** For each key the pieces of work that it caused, from the event to the end of its drawing. */
function tasksOfKeys(trace: Trace): Task[][] {
  const tasks = trace.tasks();
  return trace
    .inputs("keydown")
    .map((at) => tasks.filter((task) => task.at + task.ms > at && task.at < at + windowMs))
    .filter((own) => own.length > 0);
}

const names = ["Calendar", "Letters", "Disk tidy", "Git tools", "Ledger", "Translate"];
const runtimes = ["native", "fledge", "flowly", "dirge"];

function listedPlugin(_: unknown, index: number) {
  return {
    key: `listed-${index}`,
    packageName: `@bench/listed-${index}`,
    packageVersion: "1.2.0",
    displayName: `${names[index % names.length]} ${index}`,
    description: "Looks after what you would otherwise forget, and says so in one line.",
    runtime: runtimes[index % runtimes.length],
    capabilities: { tools: { namespace: `t${index}`, count: (index % 9) + 1 } },
    publisher: `Publisher ${index % 300}`,
  };
}
