import { afterEach, beforeEach, expect, test } from "vitest";
import { hostBundle } from "../support/host-bundle.ts";
import { callScope, PoolWorld, textOf } from "../support/pool-world.ts";

let world: PoolWorld;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
});
afterEach(() => world.close());

test("a plugin written to the base contract alone brings a tool, a hook and a channel, and all three work", async () => {
  const plugin = await world.install("base-trio");
  expect(plugin.capabilities).toEqual({
    tools: { namespace: "trio" },
    hooks: { events: ["tool.before@v1"] },
    channel: { hasSetup: false },
  });

  const view = await world.enable("ada", "base-trio", {
    tools: { of: "tools" },
    hooks: { block: "shell" },
    channel: { to: "eve" },
  });
  expect(view.state).toBe("running");

  const [hook] = world.pool.live("ada").hooks;
  expect(hook).toMatchObject({ event: "tool.before@v1", owner: "base-trio", failureMode: "fail" });
  const dispatch = (toolName: string) =>
    world.pool.call(
      "ada",
      "base-trio",
      { kind: "hook", hookId: hook?.id ?? "", event: "tool.before@v1", payload: { toolName } },
      callScope(),
    );
  expect(await dispatch("read_file")).toEqual({ allow: true });
  expect(await dispatch("shell")).toEqual({ allow: false, reason: "blocked here" });

  const output = await world.call("ada", "trio__seen");
  expect(textOf(output)).toBe("read_file,shell");
  expect(output.details).toEqual({ of: "tools", parsed: true });

  expect(view.contributions?.channel).toEqual({ name: "trio of ada" });
  const message = { sessionId: "s", to: "eve", text: "hi" };
  expect(await world.pool.call("ada", "base-trio", { kind: "send", message }, callScope())).toEqual({
    success: true,
    error: "hi for eve",
  });
  const request = { headers: { "x-word": "ping" }, rawBody: Buffer.from("body") };
  expect(await world.pool.call("ada", "base-trio", { kind: "webhook", request }, callScope())).toEqual({
    status: 202,
    body: "ping body token-ada-base-trio http://127.0.0.1:1/ada",
  });
});

test("settings that parseConfig refuses are the last error, and corrected settings clear it", async () => {
  await world.install("base-trio");
  const refused = await world.enable("ada", "base-trio", { channel: { refuse: true } });
  expect(refused).toMatchObject({
    state: "failed",
    reason: { code: "CONFIG_REFUSED", message: "The plugin refused its settings: refuse is set" },
  });
  expect(world.agentPlugins.get("ada", "base-trio")?.lastError?.code).toBe("CONFIG_REFUSED");

  const corrected = await world.enable("ada", "base-trio", {});
  expect(corrected.state).toBe("running");
  expect(world.agentPlugins.get("ada", "base-trio")?.lastError).toBeNull();
});
