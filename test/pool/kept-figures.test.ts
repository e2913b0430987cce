import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentPluginView, Snapshot } from "../../src/contract/index.ts";
import { type Bench, openBench } from "../cli/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const row = "/agents/helper/plugins/echo";

let bench: Bench;
let app: RunningApp;
const logs = () => join(bench.home, "agents", "helper", "logs");
const file = () => join(logs(), "echo.figures.json");

beforeEach(async () => {
  bench = await openBench();
  app = await startApp(bench.home);
  await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
  await app.rest("PUT", row, { enabled: true });
});
afterEach(async () => {
  await app.close();
  await bench.remove();
});

const call = () =>
  app.rest("POST", "/agents/helper/tools/echo__say/call", { input: { text: "x" }, yes: true });
const figures = async () => ((await app.rest("GET", row)) as AgentPluginView).instance.calls;
const notices = async () => ((await app.rest("GET", "/snapshot")) as Snapshot).notices;

it("after a kill figures are at most five seconds old, and are written now and then, not with each call", async () => {
  const made: number[] = [];
  const start = Date.now();
  const texts = new Set<string>();
  while (Date.now() - start < 10_000) {
    await call();
    made.push(Date.now());
    texts.add(await readFile(file(), "utf8").catch(() => ""));
  }
  const gone = once(app.process, "exit");
  const killedAt = Date.now();
  app.process.kill("SIGKILL");
  await gone;
  texts.delete("");
  expect(made.length).toBeGreaterThan(texts.size);
  expect(texts.size, "written every four seconds").toBeLessThanOrEqual(3);
  app = await startApp(bench.home);
  const { count, failed, p50Ms, days } = await figures();
  expect(count).toBeGreaterThanOrEqual(made.filter((at) => at < killedAt - 5_000).length);
  expect(count).toBeLessThanOrEqual(made.length);
  expect(count).toBeGreaterThan(0);
  expect({ failed, p50Ms }).toEqual({ failed: 0, p50Ms: expect.any(Number) });
  expect(days.reduce((sum, day) => sum + day.count, 0)).toBe(count);
});

it("a damaged file keeps nothing from starting: it is put aside, said once, and counting begins anew", async () => {
  await call();
  await app.close();
  expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({ count: 1 });
  await writeFile(file(), '{"count": 1, "fai');
  app = await startApp(bench.home);
  expect(await figures()).toMatchObject({ count: 0, days: [] });
  expect((await notices()).map(({ problem }) => problem.code)).toEqual(["STATE_FILE_DAMAGED"]);
  await call();
  expect(await figures()).toMatchObject({ count: 1 });
  await app.close();
  expect((await readdir(logs())).filter((name) => name.startsWith("echo.figures.damaged"))).toHaveLength(1);
  app = await startApp(bench.home);
  expect(await figures()).toMatchObject({ count: 1 });
  expect(await notices()).toEqual([]);
});

it("nothing is left of a plugin that was forgotten, also when a kill came in between", async () => {
  await call();
  await app.rest("PUT", row, { enabled: false });
  await app.close();
  const log = await readFile(join(logs(), "echo.jsonl"), "utf8");
  const counted = await readFile(file(), "utf8");
  app = await startApp(bench.home);
  await app.cli("plugin", "uninstall", "echo");
  expect(await readdir(logs()), "its log stays with its settings").toEqual(["echo.jsonl"]);
  await app.rest("DELETE", row);
  await expect.poll(() => readdir(logs())).toEqual([]);
  await app.close();
  await writeFile(join(logs(), "echo.jsonl"), log);
  await writeFile(join(logs(), "echo.1.jsonl"), log);
  await writeFile(file(), counted);
  app = await startApp(bench.home);
  await expect.poll(() => readdir(logs()), { timeout: 10_000 }).toEqual([]);
});
