import { describe, expect, it } from "vitest";
import type { InstanceView } from "../../contract/agent-plugin.ts";
import { cardStep, currentProblem, groupOf, healthOf, nextStep, setupOutcome } from "./health.ts";
import type { Row } from "./rows.ts";

function row(instance: Partial<InstanceView>, rest: Record<string, unknown> = {}): Row {
  const view = {
    enabled: true,
    lastError: null,
    instance: { state: "running", reason: null, startsOnUse: false, notResponding: false, ...instance },
    ...rest,
  };
  return { agentId: "a", key: "k", plugin: { loadProblem: null, declaration: {} }, view } as unknown as Row;
}

describe("healthOf", () => {
  it("tells tools that wait to be called from plugins that are off", () => {
    expect(healthOf(row({ state: "stopped", startsOnUse: true }))).toBe("asleep");
    expect(healthOf(row({ state: "stopped" }))).toBe("off");
    expect(healthOf(row({ state: "stopped", startsOnUse: true }, { enabled: false }))).toBe("off");
  });

  it("puts a process that does not answer before its state", () => {
    expect(healthOf(row({ notResponding: true }))).toBe("not_responding");
  });

  it("does not call a plugin running whose scripts were not allowed, and offers to let them run", () => {
    const notBuilt = (instance: Partial<InstanceView>, enabled = true) => {
      const one = row(instance, { enabled });
      return {
        ...one,
        plugin: { ...one.plugin, declaration: { secretKeys: [] }, skippedScripts: ["build"] },
      } as unknown as Row;
    };
    expect(healthOf(notBuilt({ state: "running" }))).toBe("degraded");
    expect(healthOf(notBuilt({ state: "stopped", startsOnUse: true }))).toBe("degraded");
    expect(healthOf(notBuilt({ state: "stopped" }, false))).toBe("off");
    expect(cardStep(notBuilt({ state: "running" }), false)).toBe("build");
  });

  it("says of nothing that it runs whose scripts were not allowed, and blames no older error", () => {
    const problem = { code: "CONFIG_REFUSED" as const, message: "No." };
    const unbuilt = (instance: Partial<InstanceView>) =>
      ({
        ...row(instance, { lastError: problem }),
        plugin: { loadProblem: null, declaration: {}, skippedScripts: ["build"] },
      }) as unknown as Row;
    expect(healthOf(unbuilt({}))).toBe("degraded");
    expect(healthOf(unbuilt({ state: "stopped", startsOnUse: true }))).toBe("degraded");
    expect(healthOf(unbuilt({ state: "failed", nextRestartAt: null }))).toBe("failed");
    expect(currentProblem(unbuilt({}))).toBeNull();
  });

  it("does not call a plugin running that lacks what nothing works without", () => {
    const hosts = { type: "array", default: [], "x-patchbay": { whenEmpty: "Add a host." } };
    const configSchema = { type: "object", properties: { hosts } };
    const lacking = (config: object, enabled = true) =>
      ({
        ...row({}, { enabled, config }),
        plugin: { loadProblem: null, declaration: { configSchema } },
      }) as unknown as Row;
    expect(healthOf(lacking({}))).toBe("needs_setup");
    expect(healthOf(lacking({ hosts: ["a.example"] }))).toBe("running");
  });

  it("knows rows whose plugin is gone", () => {
    expect(healthOf({ ...row({}), plugin: null })).toBe("gone");
  });
});

describe("what a setup has led to", () => {
  it.each([
    ["works", { state: "running" }],
    ["works", { state: "stopped", startsOnUse: true }],
    ["starts", { state: "starting" }],
    ["waits", { state: "degraded" }],
    ["fails", { state: "degraded", notResponding: true }],
    ["fails", { state: "failed", nextRestartAt: "2026-01-01T00:00:00Z" }],
    ["fails", { state: "failed", nextRestartAt: null }],
    ["fails", { state: "needs_setup" }],
    ["fails", { state: "stopped" }],
  ] as const)("is %s for %j", (outcome, instance) => {
    expect(setupOutcome(row(instance))).toBe(outcome);
  });

  it.each([
    ["starts", "connecting"],
    ["works", "connected"],
  ] as const)("%s while a channel that runs is %s", (outcome, status) => {
    const channel = row({ state: "running" });
    const runtimeState = { status, connectedSince: null };
    expect(setupOutcome({ ...channel, view: { ...channel.view, runtimeState } } as Row)).toBe(outcome);
  });

  it("fails where scripts were not allowed, though it runs", () => {
    const unbuilt = {
      ...row({}),
      plugin: { loadProblem: null, declaration: {}, skippedScripts: ["build"] },
    } as unknown as Row;
    expect(setupOutcome(unbuilt)).toBe("fails");
  });
});

describe("the problem on a card", () => {
  const problem = { code: "CONFIG_REFUSED" as const, message: "No." };

  it("is the reason of the state, else the last error while something is wrong", () => {
    expect(currentProblem(row({ state: "failed", reason: problem }))).toBe(problem);
    expect(currentProblem(row({ state: "failed" }, { lastError: problem }))).toBe(problem);
    expect(currentProblem(row({ state: "running" }, { lastError: problem }))).toBeNull();
  });

  it("comes with the step that cures it", () => {
    expect(nextStep(problem, "failed")).toBe("settings");
    expect(nextStep({ code: "HOST_CRASHED", message: "" }, "quarantined")).toBe("restart");
    expect(nextStep({ code: "PLUGIN_FILES_CHANGED", message: "" }, "failed")).toBe("reinstall");
    expect(nextStep({ code: "MODULE_MISSING", message: "" }, "failed")).toBe("packages");
    expect(nextStep({ code: "PYTHON_TOO_OLD", message: "" }, "failed")).toBe("python");
    expect(nextStep(null, "needs_setup")).toBe("settings");
    expect(nextStep(null, "running")).toBeNull();
  });

  it("leads into the setup where there is one, and to signing in when it is not let in any more", () => {
    const withSetup = { declaration: { hasSetup: true, secretKeys: [] } } as unknown as Row["plugin"];
    const refused = { code: "CREDENTIALS_REFUSED" as const, message: "" };
    expect(nextStep(refused, "degraded", withSetup)).toBe("signInAgain");
    expect(nextStep(refused, "degraded")).toBe("settings");
    expect(nextStep({ code: "MISSING_SECRET", message: "" }, "needs_setup", withSetup)).toBe("setup");
    const off = {
      ...row({ state: "stopped" }, { enabled: false, config: {}, setupState: null }),
      plugin: withSetup,
    };
    expect(cardStep(off, false)).toBe("setup");
    expect(cardStep(off, true)).toBe("continueSetup");
    const setUp = { finished: { at: "2026-01-01T00:00:00.000Z", account: null, grant: null } };
    const view = { ...off.view, setupState: setUp } as unknown as Row["view"];
    expect(cardStep({ ...off, view }, false)).toBeNull();
  });
});

it("everything that waits for the person is counted as such", () => {
  expect(
    ["needs_setup", "degraded", "failed", "quarantined", "not_responding"].map((h) => groupOf(h as "failed")),
  ).toEqual(Array(5).fill("needs"));
});
