import type { Problem } from "../../contract/errors.ts";

/** What one press installs for a plugin that lacks packages; empty for any other problem. */
export function missingPackages(problem: Problem | null): string[] {
  if (problem?.code !== "MODULE_MISSING") return [];
  const { packages } = problem.details ?? {};
  return Array.isArray(packages) ? packages.filter((each) => typeof each === "string") : [];
}
