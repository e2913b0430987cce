import { EventEmitter } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import type { AgentPluginRow, Problem } from "../../../contract/index.ts";
import { openFileStorage } from "../../store/index.ts";
import { KeptFigures } from "./kept-figures.ts";

let home: string;
const folder = () => join(home, "agents", "ada", "logs");
const file = () => join(folder(), "probe.figures.json");

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "kept-figures-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** One run of the app. */
function run() {
  const clock = new FakeClock();
  const notices: Problem[] = [];
  const onNotice = (problem: Problem) => void notices.push(problem);
  const rows = new EventEmitter<{ forgotten: [string, string] }>();
  const registry = new EventEmitter<{ removed: [string] }>();
  const agents = new EventEmitter<{ removed: [string] }>();
  const there = new Set(["probe", "other"]);
  const kept = new KeptFigures({
    storage: openFileStorage({ home, onNotice }),
    agentPlugins: {
      get: (_agent, key) => (there.has(key) ? ({} as AgentPluginRow) : undefined),
      changes: rows,
    },
    registry: { changes: registry },
    agents: { list: () => [{ id: "ada" }], changes: agents },
    onNotice,
    clock,
  });
  const told: string[] = [];
  kept.changes.on("counted", (agentId, key) => told.push(`${agentId}/${key}`));
  return { kept, clock, notices, told, rows, registry, agents, there };
}

test("figures of an earlier run are there before the plugin has started", async () => {
  const app = run();
  for (const ms of [10, 20, 30]) app.kept.of("ada", "probe").add(ms, ms === 30);
  app.kept.of("ada", "probe").started(81);
  app.kept.of("ada", "probe").restarted();
  await app.kept.close();
  const again = run().kept;
  expect(again.find("ada", "other")).toBeUndefined();
  const found = again.find("ada", "probe");
  expect(found?.view()).toMatchObject({ count: 3, failed: 1, p50Ms: 20, days: [{ count: 3, failed: 1 }] });
  expect([found?.startMs, found?.restarts]).toEqual([81, 1]);
});

test("many calls are one write after four seconds, and one announcement a second", async () => {
  const { kept, clock, told } = run();
  const figures = kept.of("ada", "probe");
  for (let call = 0; call < 10_000; call += 1) figures.add(1, false);
  expect(clock.waiting).toBe(2);
  clock.advance(999);
  expect(told).toEqual([]);
  clock.advance(1);
  expect(told).toEqual(["ada/probe"]);
  clock.advance(2_999);
  await expect(readFile(file())).rejects.toMatchObject({ code: "ENOENT" });
  clock.advance(1);
  await expect.poll(() => readFile(file(), "utf8").catch(() => "")).toContain('"count": 10000');
  expect(clock.waiting, "who is not called costs nothing").toBe(0);
});

test("a damaged file is put aside and said, and the next run counts on", async () => {
  const first = run();
  first.kept.of("ada", "probe").add(1, false);
  await first.kept.close();
  for (const text of ["{ torn", '{"count": "many"}']) {
    await writeFile(file(), text);
    const app = run();
    app.kept.of("ada", "probe").add(5, false);
    expect(app.kept.of("ada", "probe").view().count).toBe(1);
    expect(app.notices).toMatchObject([{ code: "STATE_FILE_DAMAGED" }]);
    await app.kept.close();
    expect(run().kept.find("ada", "probe")?.view().count).toBe(1);
  }
  const aside = (await readdir(folder())).filter((name) => name.includes("damaged"));
  expect(aside).toHaveLength(2);
});

test("figures go with the row, with the plugin and with the agent", async () => {
  const count = async () => {
    const app = run();
    app.kept.of("ada", "probe").add(1, false);
    await app.kept.close();
    expect(await readdir(folder())).toEqual(["probe.figures.json"]);
    return run();
  };
  const forgotten = await count();
  forgotten.there.delete("probe");
  forgotten.rows.emit("forgotten", "ada", "probe");
  forgotten.kept.of("ada", "probe").add(1, false);
  await forgotten.kept.close();
  expect(await readdir(folder())).toEqual([]);

  const uninstalled = await count();
  uninstalled.registry.emit("removed", "probe");
  await uninstalled.kept.close();
  expect(await readdir(folder())).toEqual([]);
  expect(uninstalled.kept.find("ada", "probe")?.view().count).toBe(0);

  const removed = await count();
  const figures = removed.kept.of("ada", "probe");
  await rm(join(home, "agents", "ada"), { recursive: true });
  removed.there.clear();
  removed.agents.emit("removed", "ada");
  figures.add(1, false);
  await removed.kept.close();
  expect(await readdir(join(home, "agents"))).toEqual([]);
});

test("that figures cannot be written is said once, and they are written when they can be", async () => {
  const { kept, clock, notices } = run();
  const figures = kept.of("ada", "probe");
  await writeFile(join(home, "agents"), "in the way");
  for (let round = 1; round <= 2; round += 1) {
    figures.add(1, false);
    clock.advance(4_000);
    await expect.poll(() => notices.map(({ code }) => code)).toEqual(["WRITE_FAILED"]);
  }
  await rm(join(home, "agents"));
  await kept.close();
  expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({ count: 2 });
});
