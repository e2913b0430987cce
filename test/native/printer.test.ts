import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildHostBundle } from "../support/host-bundle.ts";
import { PoolWorld, textOf } from "../support/pool-world.ts";

let bundle: Awaited<ReturnType<typeof buildHostBundle>>;
let world: PoolWorld;

beforeAll(async () => {
  bundle = await buildHostBundle();
});
afterAll(() => bundle.remove());
beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: bundle.dir });
  await world.agent("ada");
  await world.pool.boot();
  await world.install("printer");
  await world.enable("ada", "printer");
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

test("a plugin without a channel finds nothing of channels in its context", async () => {
  const names = textOf(await world.call("ada", "printer__context")).split(" ");
  expect(names.toSorted()).toEqual([
    "agentId",
    "ask",
    "credentialStore",
    "logger",
    "oauth",
    "on",
    "reportRuntimeError",
    "reportRuntimeState",
    "secrets",
    "signal",
    "storage",
    "workspace",
  ]);
});
