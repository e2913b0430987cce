import type { SetupStep, SetupView } from "../../../../contract/setup.ts";

export type SideStatus = "done" | "current" | "busy" | "failed" | "next";

/** A line of the list at the side. */
export interface SideStep {
  /** Null for the last line, "the plugin runs". */
  name: string | null;
  status: SideStatus;
}

/** The names of all steps, from the last step that gave them; `at` is the index of the present one. */
export interface NamedSteps {
  names: readonly string[];
  at: number;
}

/**
 * The names with the present step's index. Where a step does not say its index, the number of steps before it is used.
 */
export function namedSteps({ step, trail }: SetupView, before: NamedSteps | null): NamedSteps | null {
  if (!step.steps || step.steps.length === 0) return before;
  const at = step.step ?? trail.length;
  return { names: step.steps, at: Math.min(Math.max(at, 0), step.steps.length - 1) };
}

/**
 * The list beside the wizard: the names that the plugin gave, else the steps done so far and the present one. The last
 * line stands for the running plugin.
 */
export function sideSteps(
  view: SetupView,
  named: NamedSteps | null,
  nameOf: (step: { kind: string; title?: string | undefined }) => string,
): SideStep[] {
  const status = statusOf(view.step);
  const isAfter = status === "done" || isLast(view.step);
  const last: SideStep = { name: null, status: isAfter ? (isLast(view.step) ? "busy" : "done") : "next" };
  if (named) {
    const own = named.names.map((name, index): SideStep => {
      if (isAfter || index < named.at) return { name, status: "done" };
      return { name, status: index === named.at ? status : "next" };
    });
    return [...own, last];
  }
  const before = distinct(view.trail.map(nameOf));
  if (isAfter) return [...before.map((name): SideStep => ({ name, status: "done" })), last];
  const passes = view.step.kind === "progress" || view.step.kind === "error";
  // While an answer is being checked, the step that was answered last is the present one.
  const current = passes ? (before.pop() ?? nameOf({ kind: "opening" })) : nameOf(view.step);
  const done = before.filter((name) => name !== current);
  return [...done.map((name): SideStep => ({ name, status: "done" })), { name: current, status }, last];
}

function statusOf({ kind }: SetupStep): SideStatus {
  switch (kind) {
    case "progress":
      return "busy";
    case "error":
      return "failed";
    case "done":
      return "done";
    default:
      return "current";
  }
}

/** The outcome is being saved or the plugin started: only the last line is left. */
function isLast(step: SetupStep): boolean {
  return step.kind === "progress" && (step.doing === "saving" || step.doing === "starting");
}

function distinct(names: string[]): string[] {
  return [...new Set(names)];
}
