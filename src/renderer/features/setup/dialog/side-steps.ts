import type { SetupStep, SetupView } from "../../../../contract/setup.ts";

export type SideStatus = "done" | "current" | "busy" | "failed" | "next";

/** A line of the list at the side. */
export interface SideStep {
  /** Null: the last one, at which it runs. */
  name: string | null;
  status: SideStatus;
}

/** What a plugin said of all of its steps, at the last step that said it. */
export interface NamedSteps {
  names: readonly string[];
  at: number;
}

/** Steps without names say where they stand by what was done before. */
export function namedSteps({ step, trail }: SetupView, before: NamedSteps | null): NamedSteps | null {
  if (!step.steps || step.steps.length === 0) return before;
  const at = step.step ?? trail.length;
  return { names: step.steps, at: Math.min(Math.max(at, 0), step.steps.length - 1) };
}

/** The list at the side: the plugin's own names, else what was done and what is shown; and the plugin running, at the end. */
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
  // What is being checked is what was answered last.
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

/** It is saved, and what is left is that it runs. */
function isLast(step: SetupStep): boolean {
  return step.kind === "progress" && (step.doing === "saving" || step.doing === "starting");
}

function distinct(names: string[]): string[] {
  return [...new Set(names)];
}
