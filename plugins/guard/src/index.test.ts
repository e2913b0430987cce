import { fire, startHooks } from "@patchbay/plugin-sdk/test";
import { describe, expect, it } from "vitest";
import guard from "./index.ts";

const call = (toolName: string, args: Record<string, unknown>) => ({
  agentId: "a",
  sessionId: "s",
  toolCallId: "c",
  toolName,
  args,
  caller: { kind: "owner" },
});

describe("Guard", () => {
  it("lets harmless calls pass unchanged", async () => {
    const payload = call("shell", { command: "ls -la" });
    expect(await fire(guard, "tool.before@v1", payload)).toEqual({ allow: true, payload });
  });

  it("blocks a destructive command, says why, and shows it", async () => {
    const hooks = await startHooks(guard);
    expect(await hooks.fire("tool.before@v1", call("shell", { command: "sudo rm -rf /" }))).toEqual({
      allow: false,
      reason: expect.stringContaining("it removes / (/)"),
    });
    expect(hooks.test.state).toEqual({ blocked: 1, lastRule: "removeEverything", lastTool: "shell" });
    expect(hooks.test.logs).toEqual([
      { level: "warn", text: expect.stringContaining("Guard blocked the command") },
    ]);
    await hooks.stop();
  });

  it("blocks a write to a protected path", async () => {
    expect(
      await fire(guard, "tool.before@v1", call("write_file", { path: "config/.env", content: "" })),
    ).toEqual({
      allow: false,
      reason: 'Guard blocked the write: config/.env is protected by "**/.env" in its protected paths.',
    });
  });

  it("leaves tools alone that it does not watch", async () => {
    const decision = await fire(guard, "tool.before@v1", call("notes__add", { command: "rm -rf /" }));
    expect(decision).toMatchObject({ allow: true });
  });

  it("watches the tools of its settings, by name and by beginning", async () => {
    const config = {
      hooks: {
        shellTools: [{ tool: "ssh__*", argument: "line" }],
        fileTools: [{ tool: "save", argument: "to" }],
      },
    };
    const hooks = await startHooks(guard, config);
    const decide = (name: string, args: Record<string, unknown>) =>
      hooks.fire("tool.before@v1", call(name, args));
    expect(await decide("ssh__run", { line: "rm -rf /" })).toMatchObject({ allow: false });
    expect(await decide("save", { to: ".env" })).toMatchObject({ allow: false });
    expect(await decide("shell", { command: "rm -rf /" })).toMatchObject({ allow: true });
    await hooks.stop();
  });

  it("knows the agent's workspace", async () => {
    const hooks = await startHooks(guard, {}, { workspace: "/srv/agent/" });
    const decide = (command: string) => hooks.fire("tool.before@v1", call("shell", { command }));
    expect(await decide("rm -rf /srv/agent/build")).toMatchObject({ allow: true });
    expect(await decide("rm -rf /srv/agent")).toMatchObject({ allow: false });
    expect(await decide("rm -rf /srv/other/build")).toMatchObject({ allow: false });
    await hooks.stop();
  });

  it("reads a command that comes as a list of words", async () => {
    const hooks = await startHooks(guard, { shellTools: [{ tool: "run", argument: "argv" }] });
    const decide = (argv: unknown) => hooks.fire("tool.before@v1", call("run", { argv }));
    expect(await decide(["rm", "-rf", "/"])).toMatchObject({ allow: false });
    expect(await decide(["echo", "rm -rf /; it's text"])).toMatchObject({ allow: true });
    expect(await decide({ command: "rm -rf /" })).toMatchObject({
      allow: false,
      reason: expect.stringContaining('its argument "argv" is neither a text nor a list of texts'),
    });
    await hooks.stop();
  });

  it("is required, and answers before hooks of usual priority", async () => {
    const hooks = await startHooks(guard);
    expect(guard.hooks.required).toBe(true);
    expect(hooks.test.subscriptions("tool.before@v1")).toMatchObject([{ priority: 10, failureMode: "fail" }]);
    await hooks.stop();
  });

  it("refuses settings that make no sense, naming the field", () => {
    expect(() => guard.parseConfig({ hooks: { protectedPaths: [""] } })).toThrow(
      "hooks.protectedPaths.0: A protected path is empty. Write a path such as **/.env.",
    );
    expect(() => guard.parseConfig({ hooks: { rules: { forkBomb: "yes" } } })).toThrow(
      /^hooks\.rules\.forkBomb: /,
    );
  });

  it("describes every setting with a title", () => {
    const hooks = (
      guard.configSchema as { properties: { hooks: { properties: Record<string, { title?: string }> } } }
    ).properties.hooks.properties;
    expect(Object.values(hooks).map(({ title }) => title)).not.toContain(undefined);
  });
});
