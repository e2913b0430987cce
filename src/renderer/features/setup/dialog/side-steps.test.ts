import { describe, expect, test } from "vitest";
import type { SetupStep, SetupView } from "../../../../contract/setup.ts";
import { type NamedSteps, namedSteps, sideSteps } from "./side-steps.ts";

const at = "2026-01-01T00:00:00.000Z";
const steps = {
  form: { id: "1", kind: "form", title: "Find the service", fields: [] },
  menu: { id: "2", kind: "menu", options: [] },
  checking: { id: "3", kind: "progress", doing: "checking" },
  saving: { id: "4", kind: "progress", doing: "saving" },
  done: { id: "5", kind: "done", account: null },
  error: { id: "6", kind: "error", problem: { code: "SETUP_FAILED", message: "No." }, canRetry: true },
} satisfies Record<string, SetupStep>;

function view(step: SetupStep, trail: SetupView["trail"] = []): SetupView {
  return {
    id: "s",
    agentId: "a",
    pluginKey: "p",
    reason: "first",
    step,
    trail,
    startedAt: at,
    expiresAt: at,
  };
}

function lines(shown: SetupView, named: NamedSteps | null = null): string[] {
  const nameOf = ({ kind, title }: { kind: string; title?: string | undefined }) => title ?? kind;
  return sideSteps(shown, named, nameOf).map(({ name, status }) => `${name ?? "runs"}: ${status}`);
}

describe("the list at the side", () => {
  test("without names of the plugin's is what was done and what is shown", () => {
    expect(lines(view(steps.form, [{ kind: "menu" }]))).toEqual([
      "menu: done",
      "Find the service: current",
      "runs: next",
    ]);
  });

  test("says that what was answered last is being checked, and that it failed", () => {
    const trail = [{ kind: "menu" }, { kind: "form", title: "Find the service" }];
    expect(lines(view(steps.checking, trail))).toEqual([
      "menu: done",
      "Find the service: busy",
      "runs: next",
    ]);
    expect(lines(view(steps.error, trail))[1]).toBe("Find the service: failed");
    expect(lines(view(steps.error))).toEqual(["opening: failed", "runs: next"]);
  });

  test("names a step once, however often it was gone through", () => {
    const trail = [{ kind: "menu" }, { kind: "form", title: "Find the service" }, { kind: "menu" }];
    expect(lines(view(steps.form, trail))).toEqual(["menu: done", "Find the service: current", "runs: next"]);
  });

  test("takes the plugin's own names and keeps them while steps are shown that do not say them", () => {
    const named = namedSteps(view({ ...steps.form, steps: ["Service", "Phone"], step: 0 }), null);
    expect(named).toEqual({ names: ["Service", "Phone"], at: 0 });
    expect(namedSteps(view(steps.checking), named)).toBe(named);
    expect(lines(view(steps.checking), named)).toEqual(["Service: busy", "Phone: next", "runs: next"]);
    expect(lines(view(steps.saving), named)).toEqual(["Service: done", "Phone: done", "runs: busy"]);
    expect(lines(view(steps.done), named)).toEqual(["Service: done", "Phone: done", "runs: done"]);
  });

  test("counts what was done when a plugin does not say where it stands, and never points past the end", () => {
    const shown = view({ ...steps.form, steps: ["Service", "Phone"] }, [{ kind: "menu" }]);
    expect(namedSteps(shown, null)?.at).toBe(1);
    expect(namedSteps(view({ ...steps.form, steps: ["Service"], step: 7 }), null)?.at).toBe(0);
  });
});
