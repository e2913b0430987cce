import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentPluginView, SecretInfo, Snapshot } from "../../src/contract/index.ts";
import { Vault } from "../../src/main/secrets/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { weather } from "./weather.ts";

/** How often the app is killed; `PATCHBAY_KILL_RUNS` sets another number. */
const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 6);
const row = "/agents/helper/plugins/weather";

let bench: Bench;
let folder: string;
let app: RunningApp;

beforeEach(async () => {
  bench = await openBench();
  folder = await mkdtemp(join(tmpdir(), "patchbay-saves-"));
  app = await startApp(bench.home);
});
afterEach(async () => {
  await app.close();
  await bench.remove();
  await rm(folder, { recursive: true, force: true });
});

it(
  `keeps settings and their secret together, whenever the app is killed while they are saved (${runs} times)`,
  async () => {
    const dir = await writePlugin(join(folder, "weather"), {
      key: "weather",
      files: { "index.js": weather },
    });
    await app.cli("plugin", "install", dir, "--yes");
    let before: string | null = null;
    const outcomes = { old: 0, new: 0 };
    /**
     * Milliseconds after which the save is on disk. It is adjusted after each kill that came too early or too late, so
     * that kills fall around that moment.
     */
    let keptMs = 60;
    for (let run = 0; run < runs; run += 1) {
      const city = `city-${run}`;
      await saveUntilKilled(city, keptMs * (0.4 + Math.random() * 1.2));
      app = await startApp(bench.home);
      const { config, enabled, refusedSettings } = (await app.rest("GET", row)) as AgentPluginView;
      const snapshot = (await app.rest("GET", "/snapshot")) as Snapshot;
      const names = ((await app.rest("GET", "/secrets")) as SecretInfo[]).map(({ name }) => name);
      expect(snapshot.notices).toEqual([]);
      const tools = config.tools as { city: string; token: string } | undefined;
      expect([before, city]).toContain(tools?.city ?? null);
      expect(enabled).toBe(tools !== undefined);
      const reference = /^\$\{(\w+)\}$/.exec(tools?.token ?? "")?.[1];
      // Settings that were not yet tried when the app was killed are kept beside, with their secret.
      const beside = (refusedSettings?.config.tools as typeof tools)?.token.slice(2, -1);
      expect(new Set(names)).toEqual(new Set([reference, beside].filter((name) => name !== undefined)));
      if (tools && reference) expect(await stored(reference)).toBe(`token of ${tools.city}`);
      const isKept = tools?.city === city;
      if (isKept) outcomes.new += 1;
      else outcomes.old += 1;
      keptMs *= isKept ? 0.85 : 1.2;
      before = tools?.city ?? null;
    }
    if (runs >= 50) for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
  },
  runs * 20_000,
);

/** Saves other settings with another secret, and kills the app `afterMs` milliseconds after the request. */
async function saveUntilKilled(city: string, afterMs: number): Promise<void> {
  await app.rest("GET", row);
  const gone = once(app.process, "exit");
  const saved = app
    .rest("PUT", row, { enabled: true, config: { tools: { city } }, secrets: { token: `token of ${city}` } })
    .catch(() => {});
  setTimeout(() => app.process.kill("SIGKILL"), afterMs);
  await gone;
  await saved;
}

/** The value of a secret in the vault on disk. */
async function stored(name: string): Promise<string | undefined> {
  const vault = await Vault.open({
    storage: openFileStorage({ home: bench.home, onNotice() {} }),
    onNotice() {},
  });
  const value = vault.resolve(name, "helper");
  await vault.close();
  return value;
}
