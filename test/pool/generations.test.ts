import { afterEach, beforeEach, expect, test } from "vitest";
import type { HostServices } from "../../src/main/runtimes/runtime.ts";
import { type LightPool, nothing, openLightPool, scriptedRuntime } from "../support/light-pool.ts";

let world: LightPool;
/** The services that each start was given, in order. The instances do nothing but keep using them after their end. */
let given: HostServices[];
let whileStarting: (services: HostServices) => void;

beforeEach(async () => {
  given = [];
  whileStarting = () => {};
  world = await openLightPool(
    scriptedRuntime((_key, services) => {
      given.push(services);
      whileStarting(services);
      return {};
    }),
  );
  await world.install("quiet");
});
afterEach(() => world.close());

const row = () => world.agentPlugins.get("ada", "quiet");

test("what an ended run still reports reaches neither the row nor the state of the next run", async () => {
  const { pool } = world;
  await world.enable("quiet");
  given[0]?.reportState({ from: "first" });
  expect(row()?.runtimeState).toEqual({ from: "first" });
  await pool.restart("ada", "quiet");
  expect(given).toHaveLength(2);

  given[0]?.reportError("too late");
  given[0]?.reportState({ from: "the past" });
  given[0]?.contributionsChanged({ ...nothing, commands: [{ name: "late", description: "", owner: null }] });
  expect(row()).toMatchObject({ lastError: null, runtimeState: {} });
  expect(pool.live("ada").commands).toEqual([]);
  expect(pool.view("ada", "quiet")).toMatchObject({ state: "running", reason: null, generation: 2 });

  given[1]?.reportError("in time");
  given[1]?.reportState({ from: "second" });
  expect(row()).toMatchObject({ lastError: { message: "in time" }, runtimeState: { from: "second" } });
  expect(pool.view("ada", "quiet").state).toBe("degraded");
});

test("what a stopped plugin reports does not come back as its state", async () => {
  await world.enable("quiet");
  await world.disable("quiet");
  given[0]?.reportError("too late");
  given[0]?.reportState({ late: true });
  expect(row()).toMatchObject({ lastError: null, runtimeState: null });
  expect(world.pool.view("ada", "quiet").state).toBe("stopped");
});

test("an error that is reported while it starts makes it degraded", async () => {
  whileStarting = (services) => services.reportError("half of it is missing");
  expect(await world.enable("quiet")).toMatchObject({
    state: "degraded",
    reason: { code: "PLUGIN_REPORTED", message: "half of it is missing" },
  });
});
