import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../support/fake-clock.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, textOf } from "../support/pool-world.ts";

/** How often a host is killed; `PATCHBAY_KILL_RUNS` sets another number. */
const runs = Number(process.env.PATCHBAY_KILL_RUNS ?? 20);

let clock: FakeClock;
let world: PoolWorld;

beforeEach(async () => {
  clock = new FakeClock();
  world = await PoolWorld.open({ bundleDir: hostBundle(), clock });
  for (const agent of ["ada", "bob"]) await world.agent(agent);
  await world.pool.boot();
  await world.install("echo");
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

test(
  `a host that is killed at any moment leaves what the person wished, and nobody else notices (${runs} times)`,
  async () => {
    const bystander = await world.enable("bob", "echo");
    for (let run = 0; run < runs; run += 1) {
      const wishesOn = run % 3 !== 2;
      await world.enable("ada", "echo", { tools: { prefix: `${run}:` } });
      const outcomes = callAllTheTime();
      const switched = changeMind(run, wishesOn);
      await wait(Math.random() * 40);
      const killed = world.alive().filter((pid) => pid !== bystander.pid);
      for (const pid of killed) process.kill(pid, "SIGKILL");
      await switched;
      await settle(wishesOn, killed);
      for (const outcome of await outcomes.stop())
        expect(["said", "HOST_CRASHED", "PLUGIN_NOT_RUNNING", "ABORTED"]).toContain(outcome);

      const view = world.pool.view("ada", "echo");
      expect([run, view.state]).toEqual([run, wishesOn ? "running" : "stopped"]);
      expect(world.alive().sort()).toEqual([bystander.pid, ...(view.pid === null ? [] : [view.pid])].sort());
      expect(world.pool.view("bob", "echo")).toMatchObject({ pid: bystander.pid, restarts: 0 });
      if (wishesOn) expect(textOf(await world.call("ada", "echo__say", { text: "on" }))).toMatch(/^\d+:on$/);
      // Switching it off resets the count of crashes, so that the next kills do not put it into quarantine.
      await world.disable("ada", "echo");
    }
  },
  60_000 + runs * 2_000,
);

/** Calls the tool again and again until it is stopped; returns how each call ended. */
function callAllTheTime() {
  const outcomes: string[] = [];
  let going = true;
  const loop = (async () => {
    while (going) {
      const outcome = await world.call("ada", "echo__say", { text: "x" }).then(
        () => "said",
        (error: { code: string }) => error.code,
      );
      outcomes.push(outcome);
      // A refused call rejects at once: without this pause the loop would let no other work run.
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return {
    async stop() {
      going = false;
      await loop;
      return outcomes;
    },
  };
}

/**
 * Does what a person may do meanwhile: nothing, other settings, switching off and on. At its end the switch is as
 * `wishesOn` says.
 */
async function changeMind(run: number, wishesOn: boolean): Promise<void> {
  if (run % 2 === 0) await world.enable("ada", "echo", { tools: { prefix: `${run}:` } });
  if (run % 5 === 0) await world.disable("ada", "echo");
  if (!wishesOn) await world.disable("ada", "echo");
  else await world.enable("ada", "echo");
}

/** Waits until the plugin runs again (or is off, if so wished) and its killed processes are gone. */
async function settle(wishesOn: boolean, killed: readonly number[]): Promise<void> {
  const settled = () => {
    const { state, pid } = world.pool.view("ada", "echo");
    // The view shows a process that was just killed as running until the system reports its end.
    return wishesOn ? state === "running" && pid !== null && !killed.includes(pid) : state === "stopped";
  };
  while (!settled()) {
    const { nextRestartAt } = world.pool.view("ada", "echo");
    if (nextRestartAt !== null) clock.advance(Date.parse(nextRestartAt) - clock.now());
    await new Promise((resolve) => setImmediate(resolve));
  }
}
