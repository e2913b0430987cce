import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PatchbayError } from "../../src/contract/index.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, reference, textOf } from "../support/pool-world.ts";

let world: PoolWorld;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.agent("bob");
  await world.pool.boot();
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

test("switching on starts a process, switching off ends it", async () => {
  await world.install("echo");
  const on = await world.enable("ada", "echo", { tools: { prefix: "> " } });
  expect(on).toMatchObject({ state: "running", generation: 1, reason: null, startsOnUse: false });
  expect(world.alive()).toEqual([on.pid]);
  expect(textOf(await world.call("ada", "echo__say", { text: "hi" }))).toBe("> hi");
  expect(world.pool.view("ada", "echo").calls).toMatchObject({ count: 1, failed: 0 });

  const off = await world.disable("ada", "echo");
  expect(off).toMatchObject({ state: "stopped", pid: null, contributions: null });
  expect(world.alive()).toEqual([]);
  expect(world.pool.live("ada").tools).toEqual([]);
  await expect(world.call("ada", "echo__say", { text: "hi" })).rejects.toMatchObject({
    code: "PLUGIN_NOT_RUNNING",
  });
  expect(world.logTexts("ada", "echo")).toEqual([
    "started for ada",
    expect.stringMatching(/^Started in/),
    "stopped",
    "Stopped.",
  ]);
});

test("a plugin with one capability may be configured flat", async () => {
  await world.install("echo");
  await world.enable("ada", "echo", { prefix: "flat " });
  expect(textOf(await world.call("ada", "echo__say", { text: "hi" }))).toBe("flat hi");
});

test("a process gets nothing of the app's environment but paths and language", async () => {
  process.env.PATCHBAY_TEST_TOKEN = "do-not-pass-on";
  await world.install("echo");
  await world.enable("ada", "echo");
  const { details } = await world.call("ada", "echo__reveal");
  delete process.env.PATCHBAY_TEST_TOKEN;
  const { environment } = details as { environment: string[] };
  expect(environment).toContain("PATH");
  expect(environment.filter((name) => /TOKEN|SECRET|CHANNEL|NODE_OPTIONS/.test(name))).toEqual([]);
});

test("two switches at once give one process", async () => {
  await world.install("echo");
  const on = () => world.change("ada", "echo", { enabled: true });
  await Promise.all([on(), on()]);
  expect(world.hosts.length).toBe(2); // the inspection and the instance
  expect(world.alive()).toHaveLength(1);
});

test("after a storm of switches the last wish holds, with exactly one process", async () => {
  await world.install("echo");
  const settled: Promise<void>[] = [];
  for (let n = 0; n < 40; n += 1) {
    const patch = { enabled: n % 2 === 1, config: { tools: { prefix: `${n} ` } } };
    settled.push(world.change("ada", "echo", patch));
    if (n % 7 === 0) await Promise.race([...settled, new Promise((resolve) => setImmediate(resolve))]);
  }
  await Promise.all(settled);
  expect(world.pool.view("ada", "echo").state).toBe("running");
  expect(world.alive()).toHaveLength(1);
  expect(textOf(await world.call("ada", "echo__say", { text: "last" }))).toBe("39 last");

  await world.disable("ada", "echo");
  expect(world.alive()).toEqual([]);
});

test("switching off while it starts calls the start off", async () => {
  await world.install("misfit");
  const started = world.nextHost();
  const starting = world.enable("ada", "misfit", { tools: { start: "hang" } });
  await started;
  expect(world.pool.view("ada", "misfit").state).toBe("starting");
  const stopping = world.disable("ada", "misfit");
  await starting;
  await stopping;
  expect(world.pool.view("ada", "misfit")).toMatchObject({ state: "stopped", reason: null });
  expect(world.alive()).toEqual([]);
});

test("two agents with the same plugin see nothing of each other", async () => {
  await world.install("misfit");
  await world.vault.set("KEY", "ada", "ada-secret");
  await world.vault.set("KEY", "bob", "bob-secret");
  await world.enable("ada", "misfit", { tools: { name: "of ada", key: reference("KEY") } });
  await world.enable("bob", "misfit", { tools: { name: "of bob", key: reference("{KEY}") } });
  const seen = async (agentId: string) =>
    JSON.parse(textOf(await world.call(agentId, "misfit__secret", { name: "KEY" })));
  expect(await seen("ada")).toEqual({ names: ["KEY"], config: { name: "of ada", key: "ada-secret" } });
  expect(await seen("bob")).toEqual({ names: ["KEY"], config: { name: "of bob", key: "bob-secret" } });
  expect(world.pool.view("ada", "misfit").pid).not.toBe(world.pool.view("bob", "misfit").pid);

  await world.call("ada", "misfit__store", { value: 1 });
  await world.call("ada", "misfit__report_states", { count: 3 });
  await world.until(() => world.agentPlugins.get("ada", "misfit")?.runtimeState?.n === 3);
  expect(world.agentPlugins.get("bob", "misfit")?.runtimeState).toEqual({});
  expect(await world.agentPlugins.storage("bob", "misfit").get("value")).toBeUndefined();

  await world.disable("ada", "misfit");
  expect(world.pool.live("bob").tools.length).toBeGreaterThan(0);
  expect(textOf(await world.call("bob", "misfit__store", { value: 2 }))).toBe("2");
});

test("no secret gets into a log line, an error or a runtime value", async () => {
  await world.install("misfit");
  await world.vault.set("KEY", null, "very-secret-value");
  await world.enable("ada", "misfit", { tools: { key: reference("KEY") } });
  await world.call("ada", "misfit__secret", { name: "KEY" });
  await world.call("ada", "misfit__report_error", { message: "login with very-secret-value failed" });
  await world.until(() => world.agentPlugins.get("ada", "misfit")?.lastError !== null);
  expect(world.logTexts("ada", "misfit")).toContain("the secret is •••");
  expect(world.agentPlugins.get("ada", "misfit")?.lastError?.message).toBe("login with ••• failed");
  expect(world.pool.view("ada", "misfit").reason?.message).toBe("login with ••• failed");
});

describe("secrets", () => {
  test("a missing one is needs setup, and storing it starts the plugin", async () => {
    await world.install("misfit");
    const view = await world.enable("ada", "misfit", { tools: { key: reference("KEY") } });
    expect(view).toMatchObject({
      state: "needs_setup",
      reason: { code: "MISSING_SECRET", message: "Misfit needs the secret KEY, which is not stored." },
    });
    expect(world.alive()).toEqual([]);

    await world.vault.set("KEY", null, "stored-now");
    await world.until(() => world.pool.view("ada", "misfit").state === "running");
    expect(textOf(await world.call("ada", "misfit__secret", { name: "KEY" }))).toContain("stored-now");
  });

  test("rotating one that the settings refer to restarts the plugin, another one does not", async () => {
    await world.install("misfit");
    await world.vault.set("KEY", null, "first-value");
    const before = await world.enable("ada", "misfit", { tools: { key: reference("KEY") } });
    await world.vault.set("OTHER", null, "unrelated");
    await world.pool.reconcile("ada", "misfit");
    expect(world.pool.view("ada", "misfit").pid).toBe(before.pid);

    await world.vault.set("KEY", null, "second-value");
    await world.pool.reconcile("ada", "misfit");
    expect(world.pool.view("ada", "misfit")).toMatchObject({ state: "running", generation: 2 });
    expect(textOf(await world.call("ada", "misfit__secret", { name: "KEY" }))).toContain("second-value");
  });

  test("a name that no switched-on row refers to is nobody's trigger", async () => {
    await world.install("misfit");
    await world.vault.set("KEY", null, "first-value");
    await world.enable("ada", "misfit", { tools: { key: reference("KEY") } });
    const looked = vi.spyOn(world.vault, "markOf");
    await world.vault.set("KEY_2", "ada", "of a save that is not over");
    await world.vault.set("KEY", "bob", "of an agent that does not have it on");
    expect(looked).not.toHaveBeenCalled();
  });

  test("a vault that opens starts what was refused its secrets", async () => {
    await world.install("misfit");
    await world.vault.set("AN_EARLIER_NAME", "ada", "x");
    await world.vault.set("KEY", "ada", "kept");
    const closed = vi.spyOn(world.vault, "markOf").mockImplementation(() => {
      throw new PatchbayError("VAULT_CLOSED", "The stored secrets are locked.");
    });
    const view = await world.enable("ada", "misfit", { tools: { key: reference("KEY") } });
    expect(view).toMatchObject({ state: "needs_setup", reason: { code: "VAULT_CLOSED" } });
    closed.mockRestore();
    world.vault.changes.emit("status");
    await world.until(() => world.pool.view("ada", "misfit").state === "running");
  });

  test("a declared one that is needed and has no value is needs setup", async () => {
    await world.install("legacy-channel");
    expect(await world.enable("ada", "legacy-chat")).toMatchObject({
      state: "needs_setup",
      reason: { code: "NEEDS_SETUP", message: "Legacy chat is not set up yet: Bot token is missing." },
    });
  });
});

describe("a change of settings", () => {
  test("lets a running call finish, and the next call meets the new settings", async () => {
    await world.install("misfit");
    await world.enable("ada", "misfit", { tools: { name: "old" } });
    let begun: () => void = () => {};
    const progress = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const running = world.call("ada", "misfit__finish", { ms: 150 }, { onUpdate: () => begun() });
    await progress;
    const changed = world.change("ada", "misfit", { config: { tools: { name: "new" } } });
    await world.until(() => world.pool.view("ada", "misfit").state === "stopping");
    const later = world.call("ada", "misfit__finish", { ms: 1 });
    expect(textOf(await running)).toBe("finished with old");
    expect(textOf(await later)).toBe("finished with new");
    await changed;
    expect(world.pool.view("ada", "misfit").generation).toBe(2);
  });

  test("aborts a call that does not finish within the drain limit", async () => {
    world.settings.limits.drainMs = 50;
    await world.install("misfit");
    await world.enable("ada", "misfit");
    const running = world.call("ada", "misfit__hang");
    const failure = running.then(
      () => undefined,
      (error: unknown) => error,
    );
    await world.disable("ada", "misfit");
    const error = await failure;
    expect(error).toBeInstanceOf(PatchbayError);
    expect(error).toMatchObject({ code: "ABORTED" });
  });

  test("that changes nothing restarts nothing", async () => {
    await world.install("echo");
    const before = await world.enable("ada", "echo", { tools: { prefix: "a" } });
    await world.agentPlugins.set("ada", "echo", { config: { tools: { prefix: "b" } } });
    await world.change("ada", "echo", { config: { tools: { prefix: "a" } } });
    expect(world.pool.view("ada", "echo").pid).toBe(before.pid);
  });
});

describe("a tools-only plugin", () => {
  test("waits at boot until its tools are wanted", async () => {
    await world.install("echo");
    await world.install("listener");
    await world.enable("ada", "echo");
    await world.enable("ada", "listener");
    const second = await world.reopen();
    expect(second.view("ada", "listener").state).toBe("running");
    expect(second.view("ada", "echo")).toMatchObject({ state: "stopped", startsOnUse: true });
    await second.wake("ada");
    expect(second.view("ada", "echo")).toMatchObject({ state: "running", startsOnUse: false });
    expect(second.live("ada").tools.map(({ name }) => name)).toEqual(["echo__say", "echo__reveal"]);
  });
});

test("uninstalling stops the plugin, and its row stays inert", async () => {
  await world.install("echo");
  await world.enable("ada", "echo");
  await world.pool.stopPlugin("echo");
  expect(world.alive()).toEqual([]);
  await world.registry.remove("echo");
  await world.pool.reconcile("ada", "echo");
  expect(world.pool.view("ada", "echo")).toMatchObject({ state: "stopped", startsOnUse: false });
  expect(world.agentPlugins.get("ada", "echo")?.enabled).toBe(true);

  await world.install("echo");
  await world.until(() => world.pool.view("ada", "echo").state === "running");
});

test("a row that is forgotten while its plugin runs, and made anew at once, runs once", async () => {
  await world.install("echo");
  const before = await world.enable("ada", "echo");
  await world.agentPlugins.forget("ada", "echo");
  const forgotten = world.pool.forget("ada", "echo");
  const made = world.enable("ada", "echo", { tools: { prefix: "new " } });
  await world.until(() => {
    const { state, pid } = world.pool.view("ada", "echo");
    return state === "running" && pid !== before.pid;
  });
  await Promise.all([forgotten, made]);
  expect(world.alive()).toEqual([world.pool.view("ada", "echo").pid]);
  expect(textOf(await world.call("ada", "echo__say", { text: "row" }))).toBe("new row");
});

test("removing an agent ends its plugins", async () => {
  await world.install("echo");
  await world.enable("ada", "echo");
  await world.enable("bob", "echo");
  const { pid } = world.pool.view("bob", "echo");
  await world.agents.remove("ada");
  await expect.poll(() => world.alive().length).toBe(1);
  expect(world.alive()).toEqual([pid]);
});

test("changed files keep a plugin from starting", async () => {
  await world.install("echo");
  world.integrity.set("echo", { code: "PLUGIN_FILES_CHANGED", message: "Echo's files were changed." });
  expect(await world.enable("ada", "echo")).toMatchObject({
    state: "failed",
    reason: { code: "PLUGIN_FILES_CHANGED", message: "Echo's files were changed." },
  });
  expect(world.alive()).toEqual([]);
  world.integrity.clear();
  await world.pool.restart("ada", "echo");
  expect(world.pool.view("ada", "echo").state).toBe("running");
});
