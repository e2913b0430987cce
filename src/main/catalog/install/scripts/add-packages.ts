import { PatchbayError, type Plugin } from "../../../../contract/index.ts";
import type { JobRun } from "../../job-run.ts";
import type { InstallDependencies } from "../install.ts";

/**
 * Installs packages of its language for a plugin, then starts it again for every agent that has it switched on. That they
 * were asked for is the person's consent: they saw the list.
 */
export async function addPackages(
  run: JobRun,
  plugin: Plugin,
  packages: readonly string[],
  { runtimes, lock, pool, registry, audit }: InstallDependencies,
): Promise<void> {
  const key = plugin.manifestKey;
  const runtime = runtimes.find(({ id }) => id === plugin.runtime);
  run.learn({ sourceKind: plugin.source.kind, pluginKey: key, pluginVersion: plugin.packageVersion });
  run.skip("resolve", "download", "verify", "inspect", "consent");
  await lock.run(key, async () => {
    await run.phase("place", async (step) => {
      if (!runtime?.addPackages)
        throw new PatchbayError("BAD_INPUT", `${plugin.displayName} is of a system without packages.`);
      const made = await runtime.addPackages(plugin, packages, step);
      const skippedScripts = plugin.skippedScripts?.filter((name) => !made.includes(name)) ?? [];
      if (skippedScripts.length !== (plugin.skippedScripts?.length ?? 0))
        await registry.put({ ...plugin, skippedScripts });
    });
    audit?.record({ kind: "plugin.packages_added", pluginKey: key, packages });
    await run.phase("check", () => pool.startAgain(key));
  });
}
