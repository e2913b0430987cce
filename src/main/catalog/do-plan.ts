import { PatchbayError, type Plugin } from "../../contract/index.ts";
import { type InstallDependencies, install } from "./install/install.ts";
import { rollBack } from "./install/roll-back.ts";
import { addPackages } from "./install/scripts/add-packages.ts";
import type { JobPlan } from "./job-history.ts";
import type { JobRun } from "./job-run.ts";

/** Does what a job is for. Throws what its phases throw. */
export async function doPlan(plan: JobPlan, run: JobRun, deps: InstallDependencies): Promise<void> {
  switch (plan.kind) {
    case "install":
      await install(run, plan.request, deps);
      return;
    case "update":
      await install(run, plan.request, deps, installed(plan.key, deps));
      return;
    case "rollback":
      await rollBack(run, plan.key, plan, deps);
      return;
    case "packages":
      await addPackages(run, installed(plan.key, deps), plan.packages, deps);
  }
}

/** @throws PatchbayError PLUGIN_NOT_FOUND */
export function installed(key: string, { registry }: Pick<InstallDependencies, "registry">): Plugin {
  const plugin = registry.get(key);
  if (!plugin) throw new PatchbayError("PLUGIN_NOT_FOUND", `No plugin “${key}” is installed.`);
  return plugin;
}
