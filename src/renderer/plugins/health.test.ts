import { describe, expect, it } from "vitest";
import type { InstanceView } from "../../contract/agent-plugin.ts";
import type { Row } from "../store/rows.ts";
import { currentProblem, groupOf, healthOf, nextStep } from "./health.ts";

function row(instance: Partial<InstanceView>, rest: Record<string, unknown> = {}): Row {
  const view = {
    enabled: true,
    lastError: null,
    instance: { state: "running", reason: null, startsOnUse: false, notResponding: false, ...instance },
    ...rest,
  };
  return { agentId: "a", key: "k", plugin: { loadProblem: null }, view } as unknown as Row;
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

  it("knows rows whose plugin is gone", () => {
    expect(healthOf({ ...row({}), plugin: null })).toBe("gone");
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
    expect(nextStep(null, "needs_setup")).toBe("settings");
    expect(nextStep(null, "running")).toBeNull();
  });
});

it("everything that waits for the person is counted as such", () => {
  expect(
    ["needs_setup", "degraded", "failed", "quarantined", "not_responding"].map((h) => groupOf(h as "failed")),
  ).toEqual(Array(5).fill("needs"));
});
