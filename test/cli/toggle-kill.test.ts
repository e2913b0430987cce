import { once } from "node:events";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Bench, openBench } from "./support.ts";

/** How often the app is killed; more by `PATCHBAY_KILL_RUNS`. */
const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 8);

interface Row {
  pluginKey: string;
  enabled: boolean;
  config: { tools?: { prefix?: string } };
  revision: number;
}

let bench: Bench;
let app: RunningApp | undefined;

beforeEach(async () => {
  bench = await openBench();
});
afterEach(async () => {
  await app?.close();
  await bench.remove();
});

it(
  `keeps what was confirmed, whenever it is killed (${runs} times)`,
  async () => {
    app = await startApp(bench.home);
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
    for (let run = 0; run < runs; run += 1) {
      const { confirmed, asked } = await toggleUntilKilled(app, Math.random() * 150);
      app = await startApp(bench.home);
      const [row] = (await app.rest("GET", "/agents/helper/plugins")) as Row[];
      const now = row && shown(row);
      expect([confirmed, ...asked]).toContain(now);
      const snapshot = (await app.rest("GET", "/snapshot")) as { notices: unknown[] };
      expect(snapshot.notices).toEqual([]);
    }
  },
  runs * 10_000,
);

/** Switches and sets the plugin as fast as it goes; the last answer, and what was asked and not answered. */
async function toggleUntilKilled(victim: RunningApp, afterMs: number) {
  const gone = once(victim.process, "exit");
  const [before] = (await victim.rest("GET", "/agents/helper/plugins")) as Row[];
  let confirmed = before && shown(before);
  let asked: string[] = [];
  const killed = setTimeout(() => victim.process.kill("SIGKILL"), afterMs);
  for (let step = 0; ; step += 1) {
    const wanted = { enabled: step % 2 === 0, config: { tools: { prefix: `${Date.now()}-${step}` } } };
    asked = [shown(wanted)];
    try {
      const row = (await victim.rest("PUT", "/agents/helper/plugins/echo", wanted)) as Row;
      confirmed = shown(row);
      expect(confirmed).toBe(asked[0]);
      asked = [];
    } catch (error) {
      if (victim.process.signalCode === null && !(error instanceof TypeError)) throw error;
      break;
    }
  }
  clearTimeout(killed);
  await gone;
  return { confirmed, asked };
}

function shown({ enabled, config }: Pick<Row, "enabled" | "config">): string {
  return `${enabled ? "on" : "off"} ${config.tools?.prefix ?? ""}`;
}
