import { PatchbayError, type Plugin, type PluginVersion } from "../../../contract/index.ts";
import type { JobRun } from "../job-run.ts";
import { inspectPackage, isInspection, lookAt } from "./inspect-package.ts";
import type { InstallDependencies } from "./install.ts";
import { keptVersions, switchTo, versionOf } from "./switch-version.ts";

/**
 * Goes back to the newest kept version. Its files must be unchanged and it must start for every agent that uses it,
 * otherwise the current version stays. After that the current version is the one that is kept.
 */
export async function rollBack(run: JobRun, key: string, deps: InstallDependencies): Promise<Plugin> {
  run.skip("resolve", "download", "verify", "consent", "place");
  return deps.lock.run(key, async () => {
    const current = deps.registry.get(key);
    const target = current?.previous[0];
    if (!current || !target)
      throw new PatchbayError("NO_OTHER_VERSION", `No earlier version of “${key}” is kept.`);
    run.learn({ sourceKind: target.source.kind, pluginKey: key, pluginVersion: target.packageVersion });
    const plugin = withVersion(current, target);
    await run.phase("inspect", async (step) => {
      const problem = await deps.checkIntegrity(plugin);
      if (problem) throw new PatchbayError(problem.code, problem.message, problem);
      const { found, runtime } = await inspectPackage(plugin.artifact, deps.runtimes, step.signal);
      // The person agreed to this version when it was installed, and its files are the same.
      if (!isInspection(found)) await lookAt(plugin.artifact, runtime, step.signal);
    });
    await run.phase("check", (step) =>
      run.commit(() => switchTo(plugin, current, deps, (text) => step.log(text))),
    );
    return plugin;
  });
}

function withVersion(current: Plugin, target: PluginVersion): Plugin {
  const { granted: _ofCurrent, ...same } = current;
  return {
    ...same,
    ...target,
    previous: keptVersions([versionOf(current), ...current.previous.slice(1)], {
      artifact: target.artifact,
      treeHash: target.source.treeHash,
    }),
    updatedAt: new Date().toISOString(),
  };
}
