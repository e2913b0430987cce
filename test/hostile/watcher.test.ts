import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Notice } from "../../src/contract/index.ts";
import { auditOf } from "../support/hostile.ts";
import { watcherOf } from "../support/processes.ts";
import { type Attacker, HostileWorld, loot, type Tools } from "./support.ts";

const cat = ({ require, arg }: Tools) =>
  require("node:child_process").execFileSync("/bin/cat", [arg], { encoding: "utf8" });

/** Tries to get a file of the person of which the watcher alone can tell. */
async function isSeen(world: HostileWorld, plugin: Attacker, name: string): Promise<void> {
  const path = join(world.person, "letters", name);
  await writeFile(path, loot);
  world.expectNothing(await plugin.run(cat, path));
  expect(await plugin.seen("files", path)).toMatchObject({ seenBy: "wall" });
}

async function doctorOn(world: HostileWorld): Promise<{ ok: boolean; text: string } | undefined> {
  const checks = (await world.app.rest("GET", "/doctor")) as { name: string; ok: boolean; text: string }[];
  return checks.find(({ name }) => name === "Walls");
}

async function noticesOf(world: HostileWorld): Promise<Notice[]> {
  const { notices } = (await world.app.rest("GET", "/snapshot")) as { notices: Notice[] };
  return notices.filter(({ problem }) => problem.code === "WATCHER_LOST");
}

/** When the plugin's process began, in milliseconds: another process has another time. */
const born = () => performance.timeOrigin;

/** Resolves when another process of the plugin works than the one that was born then. */
async function reborn(plugin: Attacker, before: unknown): Promise<void> {
  for (;;) {
    const { value } = await plugin.run(born);
    if (value !== undefined && value !== before) return;
  }
}

test("a watcher that is killed is told once, and plugins start again by themselves, watched by a new one", async () => {
  await using world = await HostileWorld.open();
  const core = world.app.process.pid as number;
  const runner = await world.plugin("runner", { subprocess: true });
  await isSeen(world, runner, "to-the-bank.txt");
  expect(await noticesOf(world)).toEqual([]);
  expect(await doctorOn(world)).toMatchObject({
    ok: true,
    text: expect.not.stringContaining("can be seen"),
  });

  const watcher = (await watcherOf(core)) as number;
  const before = (await runner.run(born)).value;
  expect(before).toBeGreaterThan(0);
  process.kill(watcher, "SIGKILL");
  await reborn(runner, before);
  await expect
    .poll(() => noticesOf(world))
    .toMatchObject([{ level: "warn", problem: { code: "WATCHER_LOST" } }]);
  const told = async () =>
    (await auditOf(world.home)).filter(({ kind }) => kind === "walls.watcher_lost").length;
  await expect.poll(told).toBe(1);

  expect((await runner.run(cat, "/etc/passwd")).value).toContain(":");
  expect(await watcherOf(core)).not.toBe(watcher);
  await isSeen(world, runner, "to-a-friend.txt");
  expect(await noticesOf(world)).toHaveLength(1);
  expect(await told()).toBe(1);
});

test("a watcher that ends while nothing is watched needs nobody's attention", async () => {
  await using world = await HostileWorld.open();
  const core = world.app.process.pid as number;
  const runner = await world.plugin("runner", { subprocess: true });
  await isSeen(world, runner, "to-the-bank.txt");
  const watcher = (await watcherOf(core)) as number;
  await world.app.rest("PUT", "/agents/helper/plugins/runner", { enabled: false });
  process.kill(watcher, "SIGKILL");
  await expect.poll(() => watcherOf(core)).toBeUndefined();
  await world.app.rest("PUT", "/agents/helper/plugins/runner", { enabled: true });
  await isSeen(world, runner, "to-a-friend.txt");
  expect(await noticesOf(world)).toEqual([]);
});

test("where not all attempts can be seen, the doctor and the screens say why", async () => {
  await using world = await HostileWorld.open(resolve("test/support/without-perl.mjs"));
  const text = "It takes perl at /usr/bin/perl, which is not there: install your system's package perl.";
  expect(await world.app.rest("POST", "/walls/look")).toMatchObject({ stands: true, unseen: text });
  expect(await doctorOn(world)).toMatchObject({
    ok: true,
    text: expect.stringContaining(`Not all that they try can be seen. ${text}`),
  });
});
