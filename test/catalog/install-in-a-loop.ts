import { flushCompileCache } from "node:module";
import { InstallJobs } from "../../src/main/catalog/index.ts";
import { PluginRegistry } from "../../src/main/registry/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { nativeRuntime, noBrought, noMcpRegistry, testPlatform } from "./support.ts";

/**
 * Installs, updates and uninstalls the given folders in turn until it is killed. Prints `ready`, then `installed <key>
 * <version>` or `removed <key>` after each change whose promise has resolved.
 */
const [home = "", ...folders] = process.argv.slice(3);
const platform = await testPlatform(home);
const storage = openFileStorage({ home, onNotice: (problem) => console.error(problem.message) });
const registry = new PluginRegistry({ storage });
const jobs = new InstallJobs({
  storage,
  platform,
  registry,
  runtimes: [nativeRuntime(platform)],
  pool: { trial: async () => {}, stopPlugin: async () => {}, startAgain: async () => {} },
  settings: { get: () => ({ registry: null, catalogUrls: [], mcpRegistry: null }) },
  mcpRegistry: noMcpRegistry,
  brought: noBrought,
});
await jobs.recover();
// Who is killed writes nothing at its end.
flushCompileCache();
process.send?.("ready");
for (let round = 0; ; round++) {
  for (const folder of folders) {
    const job = await jobs.ended((await jobs.install({ spec: folder, yes: true })).id);
    if (job.problem) throw new Error(job.problem.message);
    process.send?.(`installed ${job.pluginKey} ${job.pluginVersion}`);
  }
  if (round % 2 === 1) {
    const [plugin] = registry.list();
    if (!plugin) continue;
    await jobs.uninstall(plugin.manifestKey);
    process.send?.(`removed ${plugin.manifestKey}`);
  }
}
