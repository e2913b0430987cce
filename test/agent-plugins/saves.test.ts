import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, reference } from "../support/pool-world.ts";
import { SetupWorld } from "../support/setup-world.ts";
import { weather } from "./weather.ts";

let folder: string;
let world: PoolWorld;
let wizard: SetupWorld;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-saves-"));
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  wizard = new SetupWorld(world);
  await world.agent("ada");
  await world.pool.boot();
  const dir = await writePlugin(join(folder, "weather"), { key: "weather", files: { "index.js": weather } });
  await world.registry.put(await world.describe(dir));
});
afterEach(async () => {
  await wizard.close();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const row = () => world.agentPlugins.get("ada", "weather");
const instance = () => world.pool.view("ada", "weather");
const starts = () => world.logTexts("ada", "weather").filter((text) => text.startsWith("for "));
const names = () => world.vault.list().map(({ name }) => name);
const setUp = () =>
  wizard.owner.configure("ada", "weather", {
    enabled: true,
    config: { tools: { city: "Bern" } },
    secrets: { token: "token-one" },
  });

test("a save that rotates a secret and changes a setting restarts the plugin once, with both", async () => {
  await setUp();
  expect(instance()).toMatchObject({ state: "running", generation: 1 });
  await wizard.owner.configure("ada", "weather", {
    config: { tools: { city: "Rome", token: reference("WEATHER_TOKEN") } },
    secrets: { token: "token-two" },
    revision: row()?.revision ?? 0,
  });
  expect(instance()).toMatchObject({ state: "running", generation: 2 });
  expect(starts()).toEqual(["for Bern with •••", "for Rome with •••"]);
  expect(world.vault.resolve(names()[0] ?? "", "ada")).toBe("token-two");
  expect(names()).toHaveLength(1);
  expect(row()?.config).toEqual({ tools: { city: "Rome", token: reference(names()[0] ?? "") } });
});

test("a save that only rotates a secret restarts once, too, and one that changes nothing does not", async () => {
  await setUp();
  await wizard.owner.configure("ada", "weather", { secrets: { token: "token-two" } });
  expect(instance().generation).toBe(2);
  await wizard.owner.configure("ada", "weather", { config: row()?.config ?? {} });
  await wizard.owner.switch("ada", "weather", true);
  expect(instance().generation).toBe(2);
  expect(row()?.config).toMatchObject({ tools: { city: "Bern" } });
});

test("a save over a newer one is refused with both, and changes neither settings nor secrets", async () => {
  await setUp();
  const before = { row: row(), names: names() };
  const stale = wizard.owner.configure("ada", "weather", {
    config: { tools: { city: "Oslo" } },
    secrets: { token: "token-three" },
    revision: 0,
  });
  await expect(stale).rejects.toMatchObject({
    code: "STALE_REVISION",
    details: { yours: { config: { tools: { city: "Oslo" } } }, current: { config: before.row?.config } },
  });
  expect({ row: row(), names: names() }).toEqual(before);
  expect(world.vault.resolve("WEATHER_TOKEN", "ada")).toBe("token-one");
});

test("settings that were read before a rotation still find the secret when they are saved after all", async () => {
  await setUp();
  const read = row()?.config as { tools: object };
  await wizard.owner.configure("ada", "weather", { secrets: { token: "token-two" } });
  expect(row()?.config).not.toEqual(read);
  await wizard.owner.configure("ada", "weather", { config: { tools: { ...read.tools, city: "Oslo" } } });
  expect(instance()).toMatchObject({ state: "running", generation: 3 });
  expect(starts().at(-1)).toBe("for Oslo with •••");
  expect(row()?.config).toEqual({ tools: { city: "Oslo", token: reference(names()[0] ?? "") } });
});

test("two saves at once are kept one after the other", async () => {
  await setUp();
  await Promise.all([
    wizard.owner.configure("ada", "weather", { secrets: { token: "token-two" } }),
    wizard.owner.configure("ada", "weather", {
      config: { tools: { city: "Rome" } },
      secrets: { token: "3" },
    }),
  ]);
  expect(names()).toHaveLength(1);
  expect(world.vault.resolve(names()[0] ?? "", "ada")).toBe("3");
  expect(row()?.config).toEqual({ tools: { city: "Rome", token: reference(names()[0] ?? "") } });
});

test("what somebody stored under a name of their own stays, though the plugin no longer refers to it", async () => {
  await world.vault.set("MINE", "ada", "kept-by-hand");
  await wizard.owner.configure("ada", "weather", {
    enabled: true,
    config: { tools: { city: "Bern", token: reference("MINE") } },
  });
  expect(instance().state).toBe("running");
  await wizard.owner.configure("ada", "weather", { secrets: { token: "typed" } });
  expect(names().sort()).toEqual(["MINE", "WEATHER_TOKEN"]);
  await wizard.owner.configure("ada", "weather", { secrets: { token: "" } });
  expect(names()).toEqual(["MINE"]);
  expect(row()?.config).toEqual({ tools: { city: "Bern" } });
});

test("forgetting a plugin takes its secrets along, except those that something else refers to", async () => {
  await setUp();
  await wizard.owner.forget("ada", "weather");
  expect(row()).toBeUndefined();
  expect(names()).toEqual([]);
  expect(world.alive()).toEqual([]);
  expect(world.logTexts("ada", "weather")).toEqual([]);
});
