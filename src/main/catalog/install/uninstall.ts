import { type Plugin, toProblem } from "../../../contract/index.ts";
import { ownFolder } from "../own-folder.ts";
import type { PluginFolders } from "../plugin-folders.ts";
import type { CatalogServices } from "../services.ts";

type UninstallNeeds = Pick<CatalogServices, "pool" | "registry" | "runtimes" | "gone" | "audit"> & {
  folders: Pick<PluginFolders, "remove">;
};

/** Milliseconds that a plugin's own removal script may take. */
const goodbyeMs = 60_000;

/** Stops the plugin everywhere, ends its sign-ins and removes its files. The settings that agents have for it are kept. */
export async function uninstall(plugin: Plugin, needs: UninstallNeeds): Promise<void> {
  const { pool, registry, gone, audit, folders } = needs;
  const key = plugin.manifestKey;
  await pool.stopPlugin(key);
  await sayGoodbye(plugin, needs);
  await gone?.keep(plugin);
  await registry.remove(key);
  audit?.record({ kind: "plugin.uninstalled", pluginKey: key, source: plugin.source });
  await gone?.endSignIns(key);
  for (const version of [plugin, ...plugin.previous]) {
    const dir = ownFolder(version);
    if (dir !== null) await folders.remove(dir);
  }
}

/**
 * Runs the removal script of a plugin that was allowed to run scripts. When it fails, the plugin is removed all the
 * same.
 */
async function sayGoodbye(plugin: Plugin, { runtimes, audit }: UninstallNeeds): Promise<void> {
  const runtime = runtimes.find(({ id }) => id === plugin.runtime);
  const lines: string[] = [];
  try {
    await runtime?.beforeRemoval?.(plugin, {
      allowScripts: plugin.scriptsAllowed,
      signal: AbortSignal.timeout(goodbyeMs),
      log: (text) => void lines.push(text),
    });
  } catch (error) {
    const problem = toProblem(error, "SCRIPT_FAILED");
    audit?.record({ kind: "plugin.removal_script_failed", pluginKey: plugin.manifestKey, problem, lines });
  }
}
