import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../support/fake-clock.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, textOf } from "../support/pool-world.ts";
import { watcherOf } from "../support/processes.ts";
import { manifestSource, Packages, toolsSource } from "./packages.ts";

let clock: FakeClock;
let world: PoolWorld;
const packages = new Packages();

const tools = `
  { name: "spin", execute() { ctx.logger("spinning"); for (;;); } },
  { name: "large", execute: () => "x".repeat(200 * 1024 * 1024) },
  { name: "large_details", execute: () => ({ content: [], details: [{ all: "x".repeat(200 * 1024 * 1024) }] }) },
  { name: "keep", execute: () => ctx.storage.set("all", "x".repeat(200 * 1024 * 1024)) },
  { name: "fill", execute() { const kept = []; for (;;) kept.push(new Array(1000).fill({})); } },
  { name: "abort", execute: () => process.abort() },
  { name: "leave", execute: () => process.exit(9) },
  { name: "flood", execute() { for (let n = 0; n < 30_000; n += 1) process.send({ t: "runtimeState", patch: {} }); return new Promise(() => {}); } },
  { name: "many", execute() { spawn("/bin/sh", ["-c", "for i in $(seq 450); do sleep 60 & done; wait"], { stdio: "ignore" }); return new Promise(() => {}); } },
  { name: "print", execute({ lines }) { process.stdout.write(("x".repeat(1023) + "\\n").repeat(lines)); return "printed"; } },
  { name: "well", execute: () => "well" },`;

afterAll(async () => {
  await packages.remove();
});
beforeEach(async () => {
  clock = new FakeClock();
  world = await PoolWorld.open({ bundleDir: hostBundle(), clock });
  world.settings.hostMemoryMb = 96;
  await world.agent("ada");
  await world.pool.boot();
  const source = manifestSource(
    "probe",
    toolsSource("probe", tools),
    'import { spawn } from "node:child_process";',
  );
  await world.registry.put(await world.describe(await packages.write("probe", { "index.js": source })));
  await world.enable("ada", "probe");
});
afterEach(() => world.close());

const state = () => world.pool.view("ada", "probe").state;
const lastError = () => world.agentPlugins.get("ada", "probe")?.lastError;

/** Makes a call during which the process ends, and resolves with what the caller and the person are told. */
async function endedBy(tool: string): Promise<{ call: string; person: string | undefined }> {
  const error = await world.call("ada", `probe__${tool}`).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  await world.until(() => state() === "failed");
  return { call: error?.message ?? "", person: lastError()?.message };
}

test("a plugin that Patchbay ends because it does not answer is not said to have ended by itself", async () => {
  const failure = world.call("ada", "probe__spin").catch((error: Error) => error);
  await world.until(() => world.logTexts("ada", "probe").includes("spinning"));
  for (let beat = 0; beat < 13; beat += 1) clock.advance(1_000);
  await world.until(() => state() === "failed");
  expect(await failure).toMatchObject({
    code: "HOST_CRASHED",
    message: "The plugin's process was ended by Patchbay: it did not answer for 10 seconds.",
  });
  expect(lastError()?.message).toBe("Probe did not answer for 10 seconds and was ended.");
});

test.each(["large", "large_details"])(
  "a result of 200 MB (%s) fails its call and ends no process",
  async (tool) => {
    const { pid } = world.pool.view("ada", "probe");
    await expect(world.call("ada", `probe__${tool}`)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "The plugin's answer is larger than 32 MB; it was thrown away.",
    });
    expect(textOf(await world.call("ada", "probe__well"))).toBe("well");
    expect(world.pool.view("ada", "probe")).toMatchObject({ state: "running", pid });
  },
);

test("so does a value of 200 MB that it wants to keep", async () => {
  await expect(world.call("ada", "probe__keep")).rejects.toThrow("larger than 64 MB");
  expect(textOf(await world.call("ada", "probe__well"))).toBe("well");
});

test("a plugin that fills its memory is said to have run out of it", async () => {
  expect(await endedBy("fill")).toEqual({
    call: "The plugin's process ran out of memory: it may use 96 MB.",
    person: "Probe's process ran out of memory: it may use 96 MB.",
  });
});

test("a plugin that aborts has crashed, and one that leaves has ended by itself", async () => {
  expect(await endedBy("abort")).toEqual({
    call: "The plugin's process crashed (signal SIGABRT).",
    person: "Probe's process crashed (signal SIGABRT).",
  });
  clock.advance(1_000);
  await world.until(() => state() === "running");
  expect((await endedBy("leave")).call).toBe("The plugin's process ended by itself (exit code 9).");
});

test("a plugin that sends more than can be heard was ended by Patchbay", async () => {
  const why = "was ended by Patchbay: it sent more messages within a second than can be heard.";
  expect(await endedBy("flood")).toEqual({
    call: `The plugin's process ${why}`,
    person: `Probe's process ${why}`,
  });
});

test("a plugin with more processes than its wall allows was ended by Patchbay, and for that", async () => {
  const why = "was ended by Patchbay: it had more than 400 processes.";
  expect(await endedBy("many")).toEqual({
    call: `The plugin's process ${why}`,
    person: `Probe's process ${why}`,
  });
});

test("a plugin whose watcher is gone was ended by Patchbay, and for that", async () => {
  const watcher = await watcherOf(process.pid);
  expect(watcher).toBeDefined();
  process.kill(watcher as number, "SIGKILL");
  await world.until(() => state() === "failed");
  expect(lastError()?.message).toBe(
    "Probe's process was ended by Patchbay: the program that sees what it tries has ended, and without that one it can open no files.",
  );
});

test("output that came too fast is counted also when nothing more comes", async () => {
  await world.call("ada", "probe__print", { lines: 3_000 });
  const told = () => world.logTexts("ada", "probe").filter((text) => text.includes("were left out"));
  await world.until(() => told().length > 0);
  expect(state()).toBe("running");
  expect(told()[0]).toMatch(/^[\d,]+ bytes of output came too fast and were left out\.$/);
});
