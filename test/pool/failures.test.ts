import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../support/fake-clock.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { isAlive, PoolWorld, textOf } from "../support/pool-world.ts";
import { outerPid } from "../support/processes.ts";

let clock: FakeClock;
let world: PoolWorld;

beforeEach(async () => {
  clock = new FakeClock();
  world = await PoolWorld.open({ bundleDir: hostBundle(), clock });
  await world.agent("ada");
  await world.pool.boot();
  await world.install("misfit");
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

/** Lets the plugin start a program, and answers with its process id outside of the plugin's wall. */
async function startedBy(pid: number | null): Promise<number> {
  return outerPid(pid ?? 0, Number(textOf(await world.call("ada", "misfit__grandchild"))));
}

const state = () => world.pool.view("ada", "misfit").state;
const lastError = () => world.agentPlugins.get("ada", "misfit")?.lastError;

describe("a crash", () => {
  test("during a call fails the call, is the last error, and restarts the plugin after one second", async () => {
    await world.enable("ada", "misfit");
    await expect(world.call("ada", "misfit__exit")).rejects.toMatchObject({
      code: "HOST_CRASHED",
      message: "The plugin's process ended by itself (exit code 3).",
    });
    await world.until(() => state() === "failed");
    expect(lastError()).toMatchObject({
      code: "HOST_CRASHED",
      message: "Misfit's process ended by itself (exit code 3).",
    });
    expect(world.pool.view("ada", "misfit").nextRestartAt).toBe(new Date(clock.now() + 1_000).toISOString());
    expect(world.pool.live("ada").tools).toEqual([]);

    clock.advance(999);
    expect(state()).toBe("failed");
    clock.advance(1);
    await world.until(() => state() === "running");
    expect(world.pool.view("ada", "misfit")).toMatchObject({
      restarts: 1,
      nextRestartAt: null,
      generation: 2,
    });
    expect(lastError()).toMatchObject({ code: "HOST_CRASHED" });
  });

  test.each(["throw_later", "reject_later"])("by %s says what was thrown", async (tool) => {
    await world.enable("ada", "misfit");
    await expect(world.call("ada", `misfit__${tool}`)).rejects.toMatchObject({ code: "HOST_CRASHED" });
    await world.until(() => state() === "failed");
    expect(JSON.stringify(lastError()?.details)).toContain("where nobody catches");
    expect(world.logTexts("ada", "misfit").join("\n")).toContain("where nobody catches");
  });

  test("three times in five minutes is quarantine, until the person restarts it", async () => {
    await world.enable("ada", "misfit");
    for (const delay of [1_000, 2_000]) {
      await expect(world.call("ada", "misfit__exit")).rejects.toMatchObject({ code: "HOST_CRASHED" });
      await world.until(() => state() === "failed");
      clock.advance(delay - 1);
      expect(state()).toBe("failed");
      clock.advance(1);
      await world.until(() => state() === "running");
    }
    await expect(world.call("ada", "misfit__exit")).rejects.toMatchObject({ code: "HOST_CRASHED" });
    await world.until(() => state() === "quarantined");
    expect(world.pool.view("ada", "misfit")).toMatchObject({
      reason: { code: "QUARANTINED" },
      nextRestartAt: null,
    });
    clock.advance(3_600_000);
    await world.pool.reconcile("ada", "misfit");
    expect(state()).toBe("quarantined");
    expect(world.alive()).toEqual([]);

    await world.pool.restart("ada", "misfit");
    expect(state()).toBe("running");
    expect(lastError()).toBeNull();
  });

  test("now and then is no quarantine", async () => {
    await world.enable("ada", "misfit");
    for (let n = 0; n < 4; n += 1) {
      await expect(world.call("ada", "misfit__exit")).rejects.toMatchObject({ code: "HOST_CRASHED" });
      await world.until(() => state() === "failed");
      clock.advance(160_000);
      await world.until(() => state() === "running");
    }
    expect(world.pool.view("ada", "misfit").restarts).toBe(4);
  });

  test("while it starts counts too", async () => {
    const view = await world.enable("ada", "misfit", { tools: { start: "exit" } });
    expect(view).toMatchObject({ state: "failed", reason: { code: "HOST_CRASHED" } });
    clock.advance(1_000);
    await world.pool.reconcile("ada", "misfit");
    clock.advance(2_000);
    await world.pool.reconcile("ada", "misfit");
    expect(state()).toBe("quarantined");
  });

  test("by kill -9 from outside takes what the plugin started with it", async () => {
    const { pid } = await world.enable("ada", "misfit");
    const grandchild = await startedBy(pid);
    expect(isAlive(grandchild)).toBe(true);
    process.kill(pid ?? 0, "SIGKILL");
    await world.until(() => state() === "failed");
    expect(lastError()?.message).toBe("Misfit's process was killed, but not by Patchbay (signal SIGKILL).");
    await gone(grandchild);
  });

  test("is forgotten when the person switches the plugin off", async () => {
    await world.enable("ada", "misfit");
    await expect(world.call("ada", "misfit__exit")).rejects.toMatchObject({ code: "HOST_CRASHED" });
    await world.until(() => state() === "failed");
    expect(await world.disable("ada", "misfit")).toMatchObject({ state: "stopped", nextRestartAt: null });
    expect(lastError()).toBeNull();
    clock.advance(60_000);
    await world.pool.reconcile("ada", "misfit");
    expect(state()).toBe("stopped");
  });
});

test("what a plugin started dies when the plugin is switched off", async () => {
  const { pid } = await world.enable("ada", "misfit");
  const grandchild = await startedBy(pid);
  await world.disable("ada", "misfit");
  await gone(grandchild);
});

describe("a start", () => {
  test("that throws is failed, with the plugin's words, and is not tried again by itself", async () => {
    const view = await world.enable("ada", "misfit", { tools: { start: "throw" } });
    expect(view).toMatchObject({ state: "failed", reason: { code: "START_FAILED", message: "no coffee" } });
    expect(lastError()?.message).toBe("no coffee");
    clock.advance(600_000);
    await world.pool.reconcile("ada", "misfit");
    expect(world.pool.view("ada", "misfit").generation).toBe(1);
  });

  test.each(["hang", "spin"])("that does not end (%s) is ended at the time limit", async (start) => {
    const started = world.nextHost();
    const starting = world.enable("ada", "misfit", { tools: { start } });
    await started;
    clock.advance(20_000);
    await starting;
    expect(world.pool.view("ada", "misfit")).toMatchObject({
      state: "failed",
      reason: { code: "START_TIMEOUT", message: "Misfit did not finish starting within 20 seconds." },
    });
    expect(world.alive()).toEqual([]);
  });

  test("that gives nothing back needs setup", async () => {
    const view = await world.enable("ada", "misfit", { tools: { start: "nothing" } });
    expect(view).toMatchObject({ state: "needs_setup", reason: { code: "NEEDS_SETUP" } });
    expect(lastError()).toBeNull();
  });
});

describe("a plugin whose event loop is blocked", () => {
  const block = async () => {
    await world.enable("ada", "misfit");
    const call = world.call("ada", "misfit__spin", {}, { timeoutMs: 600_000 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    await world.until(() => world.logTexts("ada", "misfit").includes("spinning"));
    return { failure: () => call };
  };

  test("is shown as not responding after three seconds and killed after ten, by the crash rule", async () => {
    const { failure } = await block();
    clock.advance(2_000);
    expect(world.pool.view("ada", "misfit")).toMatchObject({ state: "running", notResponding: false });
    clock.advance(3_000);
    expect(world.pool.view("ada", "misfit")).toMatchObject({
      state: "degraded",
      notResponding: true,
      reason: { code: "NOT_RESPONDING" },
    });
    clock.advance(8_000);
    await world.until(() => state() === "failed");
    expect(lastError()).toMatchObject({
      code: "NOT_RESPONDING",
      message: "Misfit did not answer for 10 seconds and was ended.",
    });
    expect(await failure()).toMatchObject({ code: "HOST_CRASHED" });
    clock.advance(1_000);
    await world.until(() => state() === "running");
  });

  test("can be switched off", async () => {
    world.settings.limits.drainMs = 0;
    world.settings.limits.stopMs = 100;
    const { failure } = await block();
    expect(await world.disable("ada", "misfit")).toMatchObject({ state: "stopped" });
    expect(await failure()).toMatchObject({ code: "ABORTED" });
  });
});

test("a plugin that answers pings is never shown as not responding", async () => {
  await world.enable("ada", "misfit");
  for (let second = 0; second < 20; second += 1) {
    clock.advance(1_000);
    await world.call("ada", "misfit__finish", { ms: 0 });
  }
  expect(world.pool.view("ada", "misfit")).toMatchObject({ state: "running", notResponding: false });
  expect(world.pool.view("ada", "misfit").memoryBytes).toBeGreaterThan(10_000_000);
});

test("a plugin whose stop hangs is killed at the stop limit", async () => {
  world.settings.limits.stopMs = 100;
  await world.enable("ada", "misfit", { tools: { stop: "hang" } });
  expect(await world.disable("ada", "misfit")).toMatchObject({ state: "stopped" });
  expect(world.logTexts("ada", "misfit").join("\n")).toContain("did not stop within 100 ms");
});

describe("a call", () => {
  test("that takes too long is stopped, and the plugin runs on", async () => {
    await world.enable("ada", "misfit");
    const begun = Promise.withResolvers<void>();
    const call = world.call("ada", "misfit__wait", {}, { timeoutMs: 5_000, onUpdate: () => begun.resolve() });
    await begun.promise;
    clock.advance(5_000);
    await expect(call).rejects.toMatchObject({
      code: "TOOL_TIMEOUT",
      message: "The tool misfit__wait took longer than 5000 ms and was stopped.",
    });
    expect(textOf(await world.call("ada", "misfit__finish", { ms: 0 }))).toBe("finished with no name");
    expect(world.pool.view("ada", "misfit").calls).toMatchObject({ count: 2, failed: 1 });
  });

  test("that its caller gives up on is stopped", async () => {
    await world.enable("ada", "misfit");
    const controller = new AbortController();
    const begun = Promise.withResolvers<void>();
    const call = world.call(
      "ada",
      "misfit__wait",
      {},
      { signal: controller.signal, onUpdate: () => begun.resolve() },
    );
    await begun.promise;
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("that throws fails with the plugin's words", async () => {
    await world.enable("ada", "misfit");
    await expect(world.call("ada", "misfit__throw")).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "bad argument",
    });
  });

  test("whose clock runs out while the person is asked goes on", async () => {
    await world.enable("ada", "misfit");
    const call = world.call("ada", "misfit__ask", {}, { timeoutMs: 1_000 });
    await world.until(() => world.questions.length === 1);
    clock.advance(5_000);
    expect(world.questions[0]).toMatchObject({
      question: { kind: "confirm", message: "Go on?" },
      context: "tool misfit.ask",
    });
    world.questions[0]?.answer(true);
    expect(textOf(await call)).toBe("true");
  });

  test("that is stopped takes its question to the person back", async () => {
    await world.enable("ada", "misfit");
    const controller = new AbortController();
    const call = world.call("ada", "misfit__ask", {}, { signal: controller.signal });
    await world.until(() => world.questions.length === 1);
    expect(world.questions[0]?.signal?.aborted).toBe(false);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    expect(world.questions[0]?.signal?.aborted).toBe(true);
  });

  test("that asks the person something senseless fails, and nobody waits", async () => {
    await world.enable("ada", "misfit");
    await expect(world.call("ada", "misfit__ask_nonsense")).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: "The plugin's process said something that Patchbay does not understand.",
    });
    expect(world.questions).toEqual([]);
  });

  test("whose answer is no plain data fails and says so", async () => {
    await world.enable("ada", "misfit");
    await expect(world.call("ada", "misfit__answer_cyclic")).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringMatching(/^The plugin answered with something that is not plain data/),
    });
  });

  test("that answers nonsense is made plain, part by part", async () => {
    await world.enable("ada", "misfit");
    expect(await world.call("ada", "misfit__answer_nonsense")).toEqual({
      content: [
        { type: "text", text: '{"type":"video"}' },
        { type: "text", text: "5" },
      ],
      details: {},
    });
  });
});

test("messages that are none of ours are ignored and said once", async () => {
  await world.enable("ada", "misfit");
  expect(textOf(await world.call("ada", "misfit__post_nonsense"))).toBe("posted");
  expect(state()).toBe("running");
  expect(world.logTexts("ada", "misfit").filter((text) => text.includes("does not know"))).toHaveLength(1);
});

test("ten megabytes of output keep the plugin working and are cut to a megabyte a second", async () => {
  await world.enable("ada", "misfit");
  expect(textOf(await world.call("ada", "misfit__print", { bytes: 10_000_000 }))).toBe("printed");
  await world.disable("ada", "misfit");
  const logs = world.pool.logs("ada", "misfit");
  const kept = logs.reduce((sum, { text }) => sum + text.length, 0);
  expect(kept).toBeLessThan(4_000_000);
  expect(logs.some(({ text, level }) => level === "warn" && text.includes("left out"))).toBe(true);
  expect(logs.filter(({ origin }) => origin === "stdout").length).toBeGreaterThan(500);
});

describe("what a plugin reports of itself", () => {
  test("an error makes it degraded, null makes it well again", async () => {
    await world.enable("ada", "misfit");
    await world.call("ada", "misfit__report_error", { message: "the room is gone" });
    await world.until(() => state() === "degraded");
    expect(world.pool.view("ada", "misfit").reason).toMatchObject({
      code: "PLUGIN_REPORTED",
      message: "the room is gone",
    });
    expect(lastError()?.message).toBe("the room is gone");
    expect(world.logTexts("ada", "misfit")).toContain("the room is gone");
    expect(world.pool.live("ada").tools.length).toBeGreaterThan(0);

    await world.call("ada", "misfit__report_error", { message: null });
    await world.until(() => state() === "running");
    expect(lastError()).toBeNull();
  });

  test("a thousand states arrive as a few, and the last one always", async () => {
    await world.enable("ada", "misfit");
    let changes = 0;
    world.agentPlugins.changes.on("row", () => {
      changes += 1;
    });
    await world.call("ada", "misfit__report_states", { count: 1_000 });
    await world.until(() => world.agentPlugins.get("ada", "misfit")?.runtimeState?.n === 1_000);
    expect(changes).toBeLessThanOrEqual(3);
  });

  test("a state above 16 KB is refused with a log line, the rest of it is taken", async () => {
    await world.enable("ada", "misfit");
    await world.call("ada", "misfit__report_large");
    await world.until(() => world.agentPlugins.get("ada", "misfit")?.runtimeState?.small === 1);
    expect(world.agentPlugins.get("ada", "misfit")?.runtimeState).toEqual({ small: 1 });
    expect(world.logTexts("ada", "misfit").join("\n")).toContain("larger than 16 KB");
  });

  test("what comes after the stop is dropped", async () => {
    await world.enable("ada", "misfit");
    await world.disable("ada", "misfit");
    expect(world.agentPlugins.get("ada", "misfit")?.runtimeState).toBeNull();
  });
});

/**
 * Resolves when a process is gone. It is no child of this process, so no event tells its end and it is checked again
 * and again.
 */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}
