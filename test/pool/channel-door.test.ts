import { expect, test } from "vitest";
import type { HostServices } from "../../src/main/runtimes/runtime.ts";
import { openLightPool, scriptedRuntime } from "../support/light-pool.ts";

test("a way to the agent is made for channels alone", async () => {
  const given = new Map<string, HostServices>();
  const runtime = scriptedRuntime((key, services) => {
    given.set(key, services);
    return {};
  });
  const world = await openLightPool(runtime);
  try {
    await world.install("quiet");
    await world.install("chat", { capabilities: { channel: { namespace: "chat", hasSetup: false } } });
    await world.enable("quiet");
    await world.enable("chat");
    expect(given.get("quiet")).not.toHaveProperty("channel");
    expect(given.get("chat")?.channel?.access()).toEqual({
      agentBaseUrl: "",
      publicAgentBaseUrl: "",
      token: "",
    });
  } finally {
    await world.close();
  }
});
