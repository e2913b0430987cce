import { type Plugin, toProblem } from "../../../contract/index.ts";
import { ownFolder } from "../own-folder.ts";
import type { PluginFolders } from "../plugin-folders.ts";
import type { CatalogServices } from "../services.ts";

type UninstallNeeds = Pick<
  CatalogServices,
  "pool" | "registry" | "runtimes" | "gone" | "removed" | "audit" | "pasted"
> & {
  folders: Pick<PluginFolders, "remove">;
};

/** Milliseconds that a plugin's own removal script may take. */
const goodbyeMs = 60_000;

/**
 * Stops the plugin everywhere and ends its sign-ins. The settings that agents have for it are kept, and its files where
 * removed plugins are kept.
 */
export async function uninstall(plugin: Plugin, needs: UninstallNeeds): Promise<void> {
  const { pool, registry, gone, removed, audit, pasted } = needs;
  const key = plugin.manifestKey;
  // First of all: when it cannot be kept, it stays as it is.
  await removed?.keep(plugin);
  await pool.stopPlugin(key);
  await sayGoodbye(plugin, needs);
  await gone?.keep(plugin);
  await registry.remove(key);
  audit?.record({ kind: "plugin.uninstalled", pluginKey: key, source: plugin.source });
  await gone?.endSignIns(key);
  // A vault that is closed keeps it, for a plugin whose id nobody has again.
  await pasted?.forget(plugin).catch(() => {});
  if (!removed) await removeFiles(plugin, needs);
}

/** Removes the files of all versions of a plugin, except those that the one has which is installed under its key. */
export async function removeFiles(
  plugin: Plugin,
  { folders, registry }: Pick<UninstallNeeds, "folders" | "registry">,
): Promise<void> {
  const present = registry.get(plugin.manifestKey);
  const used = new Set(present ? foldersOf([present]) : []);
  for (const dir of foldersOf([plugin])) if (!used.has(dir)) await folders.remove(dir);
}

/** The folders of all versions of these plugins. */
export function foldersOf(plugins: readonly Plugin[]): string[] {
  return plugins
    .flatMap((plugin) => [plugin, ...plugin.previous])
    .map(ownFolder)
    .filter((dir) => dir !== null);
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
