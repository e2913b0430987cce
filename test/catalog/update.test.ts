import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PatchbayError, type Plugin } from "../../src/contract/index.ts";
import { dirOf } from "../support/dir-of.ts";
import { type FixturePlugin, writePlugin } from "../support/fixture-plugin.ts";
import { startVerdaccio, type TestRegistry } from "../support/verdaccio.ts";
import { type Bench, openBench } from "./support.ts";

let npm: TestRegistry;
beforeAll(async () => {
  npm = await startVerdaccio();
});
afterAll(() => npm.close());

async function publish(bench: Bench, key: string, version: string, more: FixturePlugin = {}) {
  await npm.publish(await writePlugin(join(bench.work, `${key}-${version}`), { key, version, ...more }));
}

async function installed(bench: Bench, key: string): Promise<Plugin> {
  await publish(bench, key, "1.0.0");
  const job = await bench.install(`patchbay-plugin-${key}`, { registry: npm.url });
  if (job.problem) throw new Error(job.problem.message);
  return present(bench, key);
}

function present(bench: Bench, key: string): Plugin {
  const plugin = bench.registry.get(key);
  if (!plugin) throw new Error(`${key} is not installed`);
  return plugin;
}

test("an update is tried out beside the old version, which is kept for a roll-back", async () => {
  await using bench = await openBench();
  const old = await installed(bench, "u1");
  await publish(bench, "u1", "1.1.0");
  const job = await bench.update("u1");
  expect(job).toMatchObject({ status: "done", kind: "update", problem: null, pluginVersion: "1.1.0" });
  expect(job.consent?.changes).toEqual([]);
  const plugin = present(bench, "u1");
  expect(plugin).toMatchObject({ id: old.id, packageVersion: "1.1.0", createdAt: old.createdAt });
  expect(plugin.previous.map((version) => version.packageVersion)).toEqual(["1.0.0"]);
  expect(bench.calls).toEqual(["trial 1.1.0"]);
  expect(await bench.placed()).toHaveLength(2);
});

test("an update that does not start is rolled back with its reason, and its files are gone", async () => {
  await using bench = await openBench({
    pool: {
      trial: async () => {
        throw new PatchbayError("START_FAILED", "It wants a newer moon.");
      },
    },
  });
  const old = await installed(bench, "u2");
  await publish(bench, "u2", "1.1.0");
  const job = await bench.update("u2");
  expect(job.status).toBe("failed");
  expect(job.problem).toMatchObject({
    code: "UPDATE_ROLLED_BACK",
    message: "Echo 1.1.0 did not start, so 1.0.0 is kept. It wants a newer moon.",
    details: { reason: { code: "START_FAILED" } },
  });
  expect(bench.registry.get("u2")).toEqual(old);
  expect(await bench.placed()).toHaveLength(1);
  expect(await stat(dirOf(old)).then((found) => found.isDirectory())).toBe(true);
});

test("two older versions are kept, and older ones removed", async () => {
  await using bench = await openBench();
  await installed(bench, "u3");
  for (const version of ["1.1.0", "1.2.0", "1.3.0"]) {
    await publish(bench, "u3", version);
    expect((await bench.update("u3")).problem).toBeNull();
  }
  expect(present(bench, "u3").previous.map((version) => version.packageVersion)).toEqual(["1.2.0", "1.1.0"]);
  expect(await bench.placed()).toHaveLength(3);
});

test("a roll-back goes to the newest kept version and keeps the current one", async () => {
  await using bench = await openBench();
  const old = await installed(bench, "u4");
  await publish(bench, "u4", "1.1.0");
  await bench.update("u4");
  const job = await bench.jobs.ended((await bench.jobs.rollback("u4", { yes: true })).id);
  expect(job).toMatchObject({ status: "done", kind: "rollback", pluginVersion: "1.0.0", problem: null });
  expect(present(bench, "u4")).toMatchObject({ packageVersion: "1.0.0", artifact: old.artifact });
  expect(present(bench, "u4").previous.map((version) => version.packageVersion)).toEqual(["1.1.0"]);
  expect(bench.calls.at(-1)).toBe("trial 1.0.0");
});

test("a roll-back without an older version is refused", async () => {
  await using bench = await openBench();
  await installed(bench, "u5");
  await expect(bench.jobs.rollback("u5")).rejects.toThrow("No earlier version of Echo is kept.");
});

test("an update that may do more asks again and names what is new", async () => {
  await using bench = await openBench();
  await publish(bench, "u6", "1.0.0", { manifest: { permissions: { network: ["a.example"] } } });
  await bench.install("patchbay-plugin-u6", { registry: npm.url });
  await publish(bench, "u6", "1.1.0", { manifest: { permissions: { network: ["a.example", "b.example"] } } });
  const { id } = await bench.jobs.update("u6");
  const waiting = await bench.untilConsent(id);
  expect(waiting.consent).toMatchObject({
    replaces: "1.0.0",
    changes: ["It now wants to reach b.example."],
  });
  bench.jobs.consent(id, { accept: false });
  expect(await bench.jobs.ended(id)).toMatchObject({
    status: "cancelled",
    problem: { code: "CONSENT_REFUSED" },
  });
  expect(present(bench, "u6").packageVersion).toBe("1.0.0");
  await bench.jobs.retry(id);
  await bench.untilConsent(id);
  bench.jobs.consent(id, { accept: true });
  expect((await bench.jobs.ended(id)).problem).toBeNull();
  expect(present(bench, "u6").packageVersion).toBe("1.1.0");
});

test("uninstalling stops the plugin and removes all its versions; installing again works", async () => {
  await using bench = await openBench();
  await installed(bench, "u7");
  await publish(bench, "u7", "1.1.0");
  await bench.update("u7");
  await bench.jobs.uninstall("u7");
  expect(bench.calls.at(-1)).toBe("stop u7");
  expect(bench.registry.list()).toEqual([]);
  expect(await bench.placed()).toEqual([]);
  expect(await bench.staged()).toEqual([]);
  const again = await bench.install("patchbay-plugin-u7@1.0.0", { registry: npm.url });
  expect(again).toMatchObject({ status: "done", pluginVersion: "1.0.0" });
});

test("installing the same files again changes nothing on disk", async () => {
  await using bench = await openBench();
  const old = await installed(bench, "u8");
  const again = await bench.install("patchbay-plugin-u8@1.0.0", { registry: npm.url });
  expect(again.problem).toBeNull();
  expect(dirOf(present(bench, "u8"))).toBe(dirOf(old));
  expect(await bench.placed()).toHaveLength(1);
  expect(bench.calls).not.toContain("trial 1.0.0");
});

test("damaged files are replaced by installing again", async () => {
  await using bench = await openBench();
  const old = await installed(bench, "u9");
  const { rm } = await import("node:fs/promises");
  await rm(join(dirOf(old), "index.js"));
  const again = await bench.install("patchbay-plugin-u9@1.0.0", { registry: npm.url });
  expect(again.problem).toBeNull();
  const plugin = present(bench, "u9");
  expect(dirOf(plugin)).not.toBe(dirOf(old));
  expect(plugin.previous).toEqual([]);
  expect(await stat(join(dirOf(plugin), "index.js")).then((found) => found.isFile())).toBe(true);
  expect(await bench.placed()).toHaveLength(1);
});

test("another package cannot take the key of an installed one", async () => {
  await using bench = await openBench();
  await installed(bench, "u10");
  await npm.publish(await writePlugin(join(bench.work, "thief"), { key: "u10", name: "a-thief" }));
  const job = await bench.install("a-thief", { registry: npm.url });
  expect(job.problem).toMatchObject({
    code: "KEY_TAKEN",
    message: expect.stringContaining("belongs to Echo (package patchbay-plugin-u10)"),
  });
  expect(present(bench, "u10").packageName).toBe("patchbay-plugin-u10");
});

test("another plugin cannot use the tool namespace of an installed one", async () => {
  await using bench = await openBench();
  await installed(bench, "u11");
  const dir = await writePlugin(join(bench.work, "same"), { key: "u11-other", namespace: "u11" });
  expect((await bench.install(dir)).problem).toMatchObject({
    code: "NAMESPACE_TAKEN",
    message: expect.stringContaining("belongs to Echo (package patchbay-plugin-u11)"),
  });
});

test("two installations of the same plugin at once leave one", async () => {
  await using bench = await openBench();
  const dir = await writePlugin(join(bench.work, "twice"), { key: "twice" });
  const jobs = await Promise.all([bench.install(dir), bench.install(dir), bench.install(dir)]);
  expect(jobs.map((job) => job.problem)).toEqual([null, null, null]);
  expect(await bench.placed()).toHaveLength(1);
});
