import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Plugin } from "../../src/contract/index.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { fixturePlugin, hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, textOf } from "../support/pool-world.ts";

let world: PoolWorld;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-versions-"));
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.agent("bob");
  await world.pool.boot();
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

/** Another version of a fixture: the same code with some text replaced. */
async function version(fixture: string, packageVersion: string, from: string, to: string): Promise<Plugin> {
  const dir = join(folder, packageVersion);
  await cp(fixturePlugin(fixture), dir, { recursive: true });
  const file = join(dir, "index.js");
  const code = await readFile(file, "utf8");
  expect(code).toContain(from);
  await writeFile(file, code.replace(from, to));
  return { ...(await world.describe(dir)), packageVersion };
}

test("a new version that starts everywhere takes over, without a moment with none", async () => {
  await world.install("echo");
  await world.enable("ada", "echo");
  await world.enable("bob", "echo");
  const next = await version("echo", "2.0.0", "}`,", "}, version two`,");
  const states: string[] = [];
  world.pool.changes.on("instance", (agentId, key) => states.push(world.pool.view(agentId, key).state));
  await world.pool.trial(next);
  expect(world.alive()).toHaveLength(4);
  expect(textOf(await world.call("ada", "echo__say", { text: "hi" }))).toBe("hi");

  await world.registry.put(next);
  await Promise.all([world.pool.reconcile("ada", "echo"), world.pool.reconcile("bob", "echo")]);
  expect(textOf(await world.call("ada", "echo__say", { text: "hi" }))).toBe("hi, version two");
  expect(textOf(await world.call("bob", "echo__say", { text: "hi" }))).toBe("hi, version two");
  expect(new Set(states)).toEqual(new Set(["running"]));
  expect(world.alive()).toHaveLength(2);
});

test("a new version that fails for one agent is ended for all, and the old ones run on untouched", async () => {
  await world.install("echo");
  const before = [await world.enable("ada", "echo"), await world.enable("bob", "echo", { prefix: "p" })];
  const next = await version(
    "echo",
    "2.0.0",
    "ctx.logger(`started",
    'if (config.prefix) throw new Error("not with a prefix");\n      ctx.logger(`started',
  );
  await expect(world.pool.trial(next)).rejects.toMatchObject({
    code: "START_FAILED",
    message: "For the agent bob: not with a prefix",
  });
  expect(world.alive().sort()).toEqual(before.map(({ pid }) => pid).sort());
  expect(world.pool.view("bob", "echo")).toMatchObject({ state: "running", reason: null });
  expect(textOf(await world.call("bob", "echo__say", { text: "hi" }))).toBe("phi");
});

test("a channel does not run twice: the old version stops first and comes back when the new one fails", async () => {
  await world.install("prompter");
  await world.enable("ada", "prompter");
  const broken = await version("prompter", "2.0.0", 'name: "prompter"', "name: missing.name");
  await expect(world.pool.trial(broken)).rejects.toMatchObject({ code: "START_FAILED" });
  expect(world.pool.view("ada", "prompter").state).toBe("running");
  expect(world.alive()).toHaveLength(1);

  const good = await version("prompter", "3.0.0", 'name: "prompter"', 'name: "prompter three"');
  await world.pool.trial(good);
  expect(world.alive()).toHaveLength(1);
  await world.registry.put(good);
  await world.pool.reconcile("ada", "prompter");
  expect(world.pool.view("ada", "prompter")).toMatchObject({
    state: "running",
    contributions: { channel: { name: "prompter three" } },
  });
});

test("a new version that the catalogue never names is ended, and the old one runs on", async () => {
  const clock = new FakeClock();
  await world.close();
  world = await PoolWorld.open({ bundleDir: hostBundle(), clock });
  await world.agent("ada");
  await world.pool.boot();
  await world.install("echo");
  const { pid } = await world.enable("ada", "echo");
  await world.pool.trial(await version("echo", "2.0.0", "Repeats what", "Echoes what"));
  expect(world.alive()).toHaveLength(2);
  for (let second = 0; second < 30; second += 1) {
    clock.advance(1_000);
    await world.call("ada", "echo__say", { text: "still here" });
  }
  await world.pool.reconcile("ada", "echo");
  expect(world.alive()).toEqual([pid]);
  expect(world.pool.view("ada", "echo")).toMatchObject({ state: "running", pid });
});

test("a call that runs in the old version is let finish", async () => {
  await world.install("misfit");
  await world.enable("ada", "misfit");
  const begun = Promise.withResolvers<void>();
  const call = world.call("ada", "misfit__finish", { ms: 200 }, { onUpdate: () => begun.resolve() });
  await begun.promise;
  const next = await version("misfit", "2.0.0", "`finished with", "`done with");
  await world.pool.trial(next);
  await world.registry.put(next);
  expect(textOf(await call)).toBe("finished with no name");
  await world.pool.reconcile("ada", "misfit");
  expect(textOf(await world.call("ada", "misfit__finish", { ms: 0 }))).toBe("done with no name");
});
