import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Attacker, HostileWorld } from "./support.ts";

/** The same walls, with plugins that mean well: what they declare is enough for them. */
let world: HostileWorld;

beforeAll(async () => {
  world = await HostileWorld.open();
});
afterAll(() => world[Symbol.asyncDispose]());

const plugins = await readdir(resolve("out/plugins"));

test("all nine first-party plugins were built", () => {
  expect(plugins).toHaveLength(9);
});

test.each(plugins)(
  "%s runs, or says what it needs, behind the wall that its permissions make",
  async (key) => {
    await world.app.cli("plugin", "install", join(resolve("out/plugins"), key), "--yes");
    await world.app.rest("PUT", `/agents/helper/plugins/${key}`, { enabled: true });
    const plugin = new Attacker(world, key);
    const { instance } = await plugin.view();
    expect(["guard", "http"].includes(key) ? ["running"] : ["running", "needs_setup", "failed"]).toContain(
      instance.state,
    );
    expect(JSON.stringify(instance)).not.toMatch(/ERR_ACCESS_DENIED|EACCES|ENOENT|EROFS/);
    expect(await plugin.refusals()).toEqual([]);
  },
);

test("a plugin that tries nothing is told of nothing, also while Patchbay measures what it wrote", async () => {
  const quiet = await world.plugin("quiet");
  const until = Date.now() + 1_600;
  while (Date.now() < until) expect((await quiet.run(() => "here")).value).toBe("here");
  expect(await quiet.refusals()).toEqual([]);
});
